// One process of a Flink cluster for tests: a job manager or a task manager. It ends when its standard input does, so
// that it never outlives the test that started it.
//
// Arguments: jobmanager or taskmanager, and those of the class of Flink.

import java.util.Arrays;

public final class Member {
  public static void main(String[] args) throws Exception {
    Thread watch =
        new Thread(
            () -> {
              try {
                while (System.in.read() >= 0) {}
              } catch (java.io.IOException e) {
                // It is closed.
              }
              Runtime.getRuntime().halt(0);
            },
            "input");
    watch.setDaemon(true);
    watch.start();
    String[] rest = Arrays.copyOfRange(args, 1, args.length);
    if (args[0].equals("jobmanager")) {
      org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint.main(rest);
    } else {
      org.apache.flink.runtime.taskexecutor.TaskManagerRunner.main(rest);
    }
  }
}
