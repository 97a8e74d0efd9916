// This class takes the place of the one that comes with Beam, whose servers listen on every interface. These listen on
// loopback. It has the methods that the Flink runner calls.
package org.apache.beam.sdk.fn.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.BindableService;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Server;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ServerInterceptors;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.netty.NettyServerBuilder;

public abstract class ServerFactory {
  /** Makes the address of a server. Here it is always that of loopback. */
  public interface UrlFactory {
    String createUrl(String host, int port);
  }

  public static ServerFactory createDefault() {
    return new Loopback();
  }

  public static ServerFactory createWithUrlFactory(UrlFactory urls) {
    return new Loopback();
  }

  public static ServerFactory createWithPortSupplier(Supplier<Integer> ports) {
    return new Loopback();
  }

  public static ServerFactory createWithUrlFactoryAndPortSupplier(UrlFactory urls, Supplier<Integer> ports) {
    return new Loopback();
  }

  /** Starts a server on a free port and stores its address. */
  public abstract Server allocateAddressAndCreate(List<BindableService> services, ApiServiceDescriptor.Builder address)
      throws IOException;

  /** Starts a server on the port of an address. */
  public abstract Server create(List<BindableService> services, ApiServiceDescriptor address) throws IOException;

  private static final class Loopback extends ServerFactory {
    @Override
    public Server allocateAddressAndCreate(List<BindableService> services, ApiServiceDescriptor.Builder address)
        throws IOException {
      Server server = start(services, 0);
      address.setUrl("127.0.0.1:" + server.getPort());
      return server;
    }

    @Override
    public Server create(List<BindableService> services, ApiServiceDescriptor address) throws IOException {
      String url = address.getUrl();
      return start(services, Integer.parseInt(url.substring(url.lastIndexOf(':') + 1)));
    }

    private static Server start(List<BindableService> services, int port) throws IOException {
      NettyServerBuilder server =
          NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
              .maxInboundMessageSize(Integer.MAX_VALUE) // an element can have any size
              .permitKeepAliveTime(1, TimeUnit.SECONDS)
              .permitKeepAliveWithoutCalls(true);
      for (BindableService service : services) {
        server.addService(
            ServerInterceptors.intercept(service, GrpcContextHeaderAccessorProvider.interceptor()));
      }
      return server.build().start();
    }
  }
}
