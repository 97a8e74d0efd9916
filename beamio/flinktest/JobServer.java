// A Beam job server for tests: it runs each pipeline that it gets on a Flink inside this process, or on a cluster. With
// the environment LOOPBACK, the workers are in the program that submits the pipeline. It ends when its standard input does, so that it never
// outlives the test that started it.
//
// Arguments: the parallelism, the folder of the configuration of Flink, and [local] or the address of a cluster. The first line of the output is the port.

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.beam.model.jobmanagement.v1.ArtifactApi.ArtifactRequestWrapper;
import org.apache.beam.model.jobmanagement.v1.ArtifactApi.ArtifactResponseWrapper;
import org.apache.beam.model.jobmanagement.v1.ArtifactStagingServiceGrpc.ArtifactStagingServiceImplBase;
import org.apache.beam.model.jobmanagement.v1.JobApi;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage.MessageImportance;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessagesResponse;
import org.apache.beam.model.jobmanagement.v1.JobServiceGrpc.JobServiceImplBase;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.runners.flink.FlinkBatchPortablePipelineTranslator;
import org.apache.beam.runners.flink.FlinkPipelineOptions;
import org.apache.beam.runners.flink.FlinkPortablePipelineTranslator;
import org.apache.beam.runners.flink.FlinkStreamingPortablePipelineTranslator;
import org.apache.beam.runners.flink.metrics.FlinkMetricContainer;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.runners.fnexecution.translation.PipelineTranslatorUtils;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.metrics.MetricsEnvironment;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Server;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Status;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.netty.NettyServerBuilder;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.stub.StreamObserver;
import org.apache.flink.api.common.JobExecutionResult;

public final class JobServer extends JobServiceImplBase {
  private final int parallelism;
  private final String configuration;
  private final String master;
  private final Map<String, Job> jobs = new ConcurrentHashMap<>();
  private volatile String address;

  private JobServer(int parallelism, String configuration, String master) {
    this.parallelism = parallelism;
    this.configuration = configuration;
    this.master = master;
  }

  public static void main(String[] args) throws Exception {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    MetricsEnvironment.setMetricsSupported(false); // the metrics are those of the workers
    JobServer jobs = new JobServer(Integer.parseInt(args[0]), args[1], args[2]);
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
            .maxInboundMessageSize(256 << 20)
            .addService(jobs)
            .addService(new Staging())
            .build()
            .start();
    jobs.address = "127.0.0.1:" + server.getPort();
    System.out.println(server.getPort());
    System.out.flush();
    awaitEndOfInput();
    System.exit(0);
  }

  private static void awaitEndOfInput() throws IOException {
    while (System.in.read() >= 0) {}
  }

  /** One pipeline. Its messages end with a state that is final. */
  private static final class Job {
    final JobApi.PrepareJobRequest request;
    final BlockingQueue<JobMessagesResponse> messages = new LinkedBlockingQueue<>();
    volatile JobApi.JobState.Enum state = JobApi.JobState.Enum.STOPPED;
    volatile JobApi.MetricResults metrics = JobApi.MetricResults.getDefaultInstance();

    Job(JobApi.PrepareJobRequest request) {
      this.request = request;
    }

    void enter(JobApi.JobState.Enum next) {
      state = next;
      JobApi.JobStateEvent event = JobApi.JobStateEvent.newBuilder().setState(next).build();
      messages.add(JobMessagesResponse.newBuilder().setStateResponse(event).build());
    }

    void report(MessageImportance importance, String text) {
      JobApi.JobMessage message =
          JobApi.JobMessage.newBuilder().setImportance(importance).setMessageText(text).build();
      messages.add(JobMessagesResponse.newBuilder().setMessageResponse(message).build());
    }
  }

  @Override
  public void prepare(JobApi.PrepareJobRequest request, StreamObserver<JobApi.PrepareJobResponse> out) {
    String id = UUID.randomUUID().toString();
    jobs.put(id, new Job(request));
    answer(
        out,
        JobApi.PrepareJobResponse.newBuilder()
            .setPreparationId(id)
            .setStagingSessionToken(id)
            .setArtifactStagingEndpoint(ApiServiceDescriptor.newBuilder().setUrl(address))
            .build());
  }

  @Override
  public void run(JobApi.RunJobRequest request, StreamObserver<JobApi.RunJobResponse> out) {
    String id = request.getPreparationId();
    Job job = find(id, out);
    if (job != null) {
      new Thread(() -> execute(id, job), "job").start();
      answer(out, JobApi.RunJobResponse.newBuilder().setJobId(id).build());
    }
  }

  private void execute(String id, Job job) {
    job.enter(JobApi.JobState.Enum.STARTING);
    try {
      FlinkPipelineOptions options =
          PipelineOptionsTranslation.fromProto(job.request.getPipelineOptions()).as(FlinkPipelineOptions.class);
      options.setRunner(null);
      options.setJobName(job.request.getJobName());
      options.setFlinkMaster(master);
      options.setFlinkConfDir(configuration);
      if (options.getParallelism() == null || options.getParallelism() < 1) {
        options.setParallelism(parallelism);
      }
      boolean streaming =
          options.isStreaming() || PipelineTranslatorUtils.hasUnboundedPCollections(job.request.getPipeline());
      JobInfo info = JobInfo.create(id, options.getJobName(), "", PipelineOptionsTranslation.toProto(options));
      JobExecutionResult result =
          streaming
              ? translate(new FlinkStreamingPortablePipelineTranslator(), job, info, options)
              : translate(FlinkBatchPortablePipelineTranslator.createTranslator(), job, info, options);
      Object metrics = result.getAllAccumulatorResults().get(FlinkMetricContainer.ACCUMULATOR_NAME);
      if (metrics instanceof MetricsContainerStepMap) {
        Iterable<? extends org.apache.beam.model.pipeline.v1.MetricsApi.MonitoringInfo> infos =
            ((MetricsContainerStepMap) metrics).getMonitoringInfos();
        job.metrics = JobApi.MetricResults.newBuilder().addAllAttempted(infos).build();
      }
      job.enter(JobApi.JobState.Enum.DONE);
    } catch (Throwable failure) {
      StringWriter text = new StringWriter();
      failure.printStackTrace(new PrintWriter(text));
      job.report(MessageImportance.JOB_MESSAGE_ERROR, text.toString());
      job.enter(JobApi.JobState.Enum.FAILED);
    }
  }

  private static <C extends FlinkPortablePipelineTranslator.TranslationContext> JobExecutionResult translate(
      FlinkPortablePipelineTranslator<C> translator, Job job, JobInfo info, FlinkPipelineOptions options)
      throws Exception {
    C context = translator.createTranslationContext(info, options, options.getFlinkConfDir(), List.of());
    FlinkPortablePipelineTranslator.Executor executor =
        translator.translate(context, translator.prepareForTranslation(job.request.getPipeline()));
    job.enter(JobApi.JobState.Enum.RUNNING);
    return executor.execute(options.getJobName());
  }

  @Override
  public void getState(JobApi.GetJobStateRequest request, StreamObserver<JobApi.JobStateEvent> out) {
    Job job = find(request.getJobId(), out);
    if (job != null) {
      answer(out, JobApi.JobStateEvent.newBuilder().setState(job.state).build());
    }
  }

  /** Sends the messages of a job to its one reader, up to the final state. */
  @Override
  public void getMessageStream(JobApi.JobMessagesRequest request, StreamObserver<JobMessagesResponse> out) {
    Job job = find(request.getJobId(), out);
    if (job != null) {
      new Thread(() -> forward(job, out), "messages").start();
    }
  }

  private static void forward(Job job, StreamObserver<JobMessagesResponse> out) {
    try {
      JobMessagesResponse message;
      do {
        message = job.messages.take();
        out.onNext(message);
      } while (!isFinal(message));
      out.onCompleted();
    } catch (InterruptedException | RuntimeException e) {
      // The reader has gone away.
    }
  }

  private static boolean isFinal(JobMessagesResponse message) {
    JobApi.JobState.Enum state = message.getStateResponse().getState();
    return message.hasStateResponse()
        && (state == JobApi.JobState.Enum.DONE || state == JobApi.JobState.Enum.FAILED);
  }

  @Override
  public void getJobMetrics(JobApi.GetJobMetricsRequest request, StreamObserver<JobApi.GetJobMetricsResponse> out) {
    Job job = find(request.getJobId(), out);
    if (job != null) {
      answer(out, JobApi.GetJobMetricsResponse.newBuilder().setMetrics(job.metrics).build());
    }
  }

  private Job find(String id, StreamObserver<?> out) {
    Job job = jobs.get(id);
    if (job == null) {
      out.onError(Status.NOT_FOUND.withDescription("no job " + id).asRuntimeException());
    }
    return job;
  }

  private static <T> void answer(StreamObserver<T> out, T message) {
    out.onNext(message);
    out.onCompleted();
  }

  /** Asks for no files, because the workers already have theirs. */
  private static final class Staging extends ArtifactStagingServiceImplBase {
    @Override
    public StreamObserver<ArtifactResponseWrapper> reverseArtifactRetrievalService(
        StreamObserver<ArtifactRequestWrapper> out) {
      return new StreamObserver<>() {
        @Override
        public void onNext(ArtifactResponseWrapper message) {
          out.onCompleted();
        }

        @Override
        public void onError(Throwable error) {}

        @Override
        public void onCompleted() {}
      };
    }
  }
}
