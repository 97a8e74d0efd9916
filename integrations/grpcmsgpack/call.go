package grpcmsgpack

import (
	"context"
	"fmt"

	"google.golang.org/grpc"
)

// Unary describes a method with one request and one response. method is usually a method expression,
// such as Orders.Get of an interface Orders. service and name are those in the path of the call,
// /service/name, which interceptors see.
func Unary[S, Req, Resp any](service, name string, method func(S, context.Context, *Req) (*Resp, error)) grpc.MethodDesc {
	path := "/" + service + "/" + name
	handler := func(srv any, ctx context.Context, decode func(any) error, interceptor grpc.UnaryServerInterceptor) (any, error) {
		req := new(Req)
		if err := decode(req); err != nil {
			return nil, err
		}
		s := srv.(S) // RegisterService has checked it
		if interceptor == nil {
			return method(s, ctx, req)
		}
		info := &grpc.UnaryServerInfo{Server: srv, FullMethod: path}
		return interceptor(ctx, req, info, func(ctx context.Context, v any) (any, error) {
			req, ok := v.(*Req)
			if !ok {
				return nil, fmt.Errorf("grpcmsgpack: interceptor replaced the request of %s by %T, want %T", path, v, req)
			}
			return method(s, ctx, req)
		})
	}
	return grpc.MethodDesc{MethodName: name, Handler: handler}
}

// Call calls the method at path, such as /shop.Orders/Get, and returns its response. conn must use the
// codec, or one of the options must select it. If req is nil, the method gets the zero value.
func Call[Resp any](ctx context.Context, conn grpc.ClientConnInterface, path string, req any, options ...grpc.CallOption) (*Resp, error) {
	if req == nil {
		req = new(any) // gRPC sends no bytes for nil, which are no message
	}
	resp := new(Resp)
	if err := conn.Invoke(ctx, path, req, resp, options...); err != nil {
		return nil, err
	}
	return resp, nil
}
