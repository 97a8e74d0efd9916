// This class takes the place of the one that comes with Beam. That one puts the output of a bundle into a queue of 100
// messages, which the runner empties only after the worker has said that the bundle is complete. A worker with more output
// waits for room in the queue, and the pipeline stands still. The Go SDK sends 4 MB in a message, and Flink makes one
// bundle of all that a worker reads, so this happens after 400 MB. Here the output goes on to Flink in the thread that
// receives it.
package org.apache.beam.sdk.fn.data;

import java.io.InputStream;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.beam.model.fnexecution.v1.BeamFnApi.Elements;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.util.MoreFutures;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.ByteString;

public final class BeamFnDataInboundObserver implements CloseableFnDataReceiver<Elements> {
  /** One of the outputs of a bundle. A timer has a family. */
  private static final class Output<T> {
    final String transform;
    final String family;
    private final Coder<T> coder;
    private final FnDataReceiver<T> receiver;

    Output(String transform, String family, Coder<T> coder, FnDataReceiver<T> receiver) {
      this.transform = transform;
      this.family = family;
      this.coder = coder;
      this.receiver = receiver;
    }

    void forward(ByteString data) throws Exception {
      InputStream in = data.newInput();
      while (in.available() > 0) {
        receiver.accept(coder.decode(in));
      }
    }
  }

  private final Set<Output<?>> open = new HashSet<>(); // outputs that are not complete
  private final CompletableFuture<Void> end = new CompletableFuture<>();

  private BeamFnDataInboundObserver() {}

  public static BeamFnDataInboundObserver forConsumers(List<DataEndpoint<?>> data, List<TimerEndpoint<?>> timers) {
    BeamFnDataInboundObserver observer = new BeamFnDataInboundObserver();
    data.forEach(e -> observer.add(e));
    timers.forEach(e -> observer.add(e));
    return observer;
  }

  private <T> void add(DataEndpoint<T> e) {
    open.add(new Output<>(e.getTransformId(), "", e.getCoder(), e.getReceiver()));
  }

  private <T> void add(TimerEndpoint<T> e) {
    open.add(new Output<>(e.getTransformId(), e.getTimerFamilyId(), e.getCoder(), e.getReceiver()));
  }

  /** Forwards the elements of one message. After an error, the caller drops the other messages of the bundle. */
  @Override
  public synchronized void accept(Elements message) throws Exception {
    try {
      if (end.isDone()) {
        throw new IllegalStateException("output of a bundle that has ended");
      }
      for (Elements.Data e : message.getDataList()) {
        forward(e.getTransformId(), "", e.getData(), e.getIsLast());
      }
      for (Elements.Timers e : message.getTimersList()) {
        forward(e.getTransformId(), e.getTimerFamilyId(), e.getTimers(), e.getIsLast());
      }
    } catch (Exception e) {
      end.completeExceptionally(e);
      throw e;
    }
    if (open.isEmpty()) {
      end.complete(null);
    }
  }

  private void forward(String transform, String family, ByteString data, boolean last) throws Exception {
    for (Output<?> output : open) {
      if (output.transform.equals(transform) && output.family.equals(family)) {
        output.forward(data);
        if (last) {
          open.remove(output);
        }
        return;
      }
    }
    throw new IllegalStateException("no open output of transform " + transform + ", timer family \"" + family + "\"");
  }

  /** Waits until all outputs are complete. */
  public void awaitCompletion() throws Exception {
    MoreFutures.get(end);
  }

  @Override
  public void flush() {}

  /** Ends a bundle that has failed. */
  @Override
  public void close() {
    end.completeExceptionally(new IllegalStateException("the bundle was closed"));
  }
}
