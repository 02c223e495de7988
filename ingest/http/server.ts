// The only module that uses uWebSockets.js. Every request takes the same path: copy the data that
// does not outlive the handler, watch for the abort, read the body, run the endpoint, send its
// reply once. An endpoint returns a reply and never sees the socket.

import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
} from 'uWebSockets.js';
import { problem } from '../../schema/values/problem.ts';
import { OPEN_BODY_BYTES_MAX, RETRY_AFTER_SECONDS } from '../limits.ts';
import { BodyMemory } from './body-memory.ts';
import { endHead } from './end-head.ts';
import { copyIncoming, type Incoming } from './incoming.ts';
import { DISCARD_BYTES_MAX, readBody } from './read-body.ts';
import { problemReply, type Reply } from './reply.ts';
import type { Route, Router } from './router.ts';
import { statusLine } from './status-line.ts';

export type Endpoint = {
  readonly methods: readonly string[];
  /** Headers that a page may send besides those of all SDK endpoints, if its preflight names them. */
  readonly allowedHeaders?: readonly string[];
  /** The endpoint does not use the body after `handle` has settled, so its memory can be reused. */
  readonly returnsBody?: boolean;
  /**
   * `parameter` is the value of `{…}` in the endpoint's path. An endpoint with `returnsBody` calls
   * `doneWithBody` before a long wait that does not need the body.
   */
  handle(
    incoming: Incoming,
    body: Buffer,
    parameter: string,
    doneWithBody: () => void,
  ): Reply | Promise<Reply>;
};

export type ServerOptions = {
  readonly router: Router;
  /** Connections beyond this number are closed on arrival. */
  readonly connectionsMax: number;
  onConnectionRefused(): void;
  preflight(incoming: Incoming, endpoint: Pick<Endpoint, 'methods' | 'allowedHeaders'>): Reply;
  /** Headers of a response without an endpoint, such as 405 or 413. */
  corsFor(incoming: Incoming): Reply['headers'];
  /** `path` is the path as registered; undefined if no endpoint matched. */
  onReply(
    path: string | undefined,
    reply: Reply,
    ms: number,
    bodyBytes: number,
    requestId: string,
  ): void;
  /** Called for a bug. The client receives a 500 with the request ID and without details. */
  onError(incoming: Incoming, requestId: string, error: unknown): void;
  newId(): string;
};

type Exchange = {
  readonly incoming: Incoming;
  readonly response: HttpResponse;
  readonly startedMs: number;
  /**
   * The client's ID, or one that is created when it is first logged; empty until then, because
   * creating one has a cost.
   */
  requestId: string;
  route: Route | undefined;
  /** Whether the first bytes of the response may have been written. */
  hasBegun: boolean;
  isOver: boolean;
  /** The memory of its body. */
  body: Buffer<ArrayBuffer> | undefined;
  /** Whether an endpoint is using the body. It may continue after the client has disconnected. */
  isAtWork: boolean;
};

export class Server {
  private readonly options: ServerOptions;
  private readonly app = App();
  private socket: us_listen_socket | undefined;
  private open = 0;
  private connections = 0;
  private heldBytes = 0;
  private readonly bodies = new BodyMemory();
  private isClosing = false;
  private isClosed = false;
  private onIdle: (() => void) | undefined;

  constructor(options: ServerOptions) {
    this.options = options;
    const countConnection = (response: HttpResponse, change: number) => {
      this.connections += change;
      if (change < 0 || this.connections <= options.connectionsMax) return;
      options.onConnectionRefused();
      response.close();
    };
    this.app.filter(countConnection);
    this.app.any('/*', (response, request) => this.accept(response, request));
  }

  /** The threads of a process share the port, which must not be 0. */
  listen(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.app.listen(host, port, socket => {
        if (!socket) return reject(new Error(`Cannot listen on ${host}:${port}.`));
        this.socket = socket;
        resolve();
      });
    });
  }

  /** Accepts no new connections and asks clients to close open ones. */
  stopListening(): void {
    this.isClosing = true;
    if (this.socket) us_listen_socket_close(this.socket);
    this.socket = undefined;
  }

  /** Resolves when no request is open. */
  idle(): Promise<void> {
    if (this.open === 0) return Promise.resolve();
    return new Promise(resolve => {
      this.onIdle = resolve;
    });
  }

  /** Closes the port and all connections, even with open requests. Idempotent. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.app.close();
  }

  private accept(response: HttpResponse, request: HttpRequest): void {
    const incoming = copyIncoming(request);
    const exchange: Exchange = {
      incoming,
      requestId: incoming.requestId,
      response,
      startedMs: performance.now(),
      route: undefined,
      hasBegun: false,
      isOver: false,
      body: undefined,
      isAtWork: false,
    };
    this.open++;
    // Registered before any code that may throw; otherwise an exception would end the process.
    response.onAborted(() => this.finish(exchange));
    this.guard(exchange, () => this.route(exchange));
  }

  private route(exchange: Exchange): void {
    const { incoming, response } = exchange;
    const route = this.options.router.find(incoming.path);
    exchange.route = route;
    if (incoming.isAmbiguous) {
      // After a response, uWebSockets.js would parse the following bytes as another request.
      response.close();
      return;
    }
    if (route === undefined) {
      this.refuse(exchange, problemReply(problem('NOT_FOUND')));
      return;
    }
    const refusal = this.refusal(incoming, route.endpoint);
    if (refusal !== undefined) {
      this.refuse(exchange, refusal);
      return;
    }
    const room = (bytes: number) => {
      this.returnBody(exchange);
      exchange.body = this.bodies.take(bytes);
      this.heldBytes += exchange.body.length;
      return exchange.body;
    };
    readBody(response, incoming.contentLength, room, result =>
      this.guard(exchange, () => {
        if (typeof result === 'object') this.work(exchange, route, result.bytes);
        else if (result === 'too large')
          this.refuse(exchange, problemReply(problem('PAYLOAD_TOO_LARGE')));
        else response.close();
      }),
    );
  }

  /** Requests that can be rejected before the body has arrived. */
  private refusal(incoming: Incoming, endpoint: Endpoint): Reply | undefined {
    const { methods } = endpoint;
    const { method, contentLength } = incoming;
    if (method === 'OPTIONS') return this.options.preflight(incoming, endpoint);
    if (!methods.includes(method)) {
      const allow = [['Allow', [...methods, 'OPTIONS'].join(', ')]] as const;
      return problemReply(problem('METHOD_NOT_ALLOWED'), {}, allow);
    }
    if (contentLength > DISCARD_BYTES_MAX)
      return { ...problemReply(problem('PAYLOAD_TOO_LARGE')), closes: true };
    if (this.heldBytes <= OPEN_BODY_BYTES_MAX) return undefined;
    return problemReply(problem('UNAVAILABLE', undefined, RETRY_AFTER_SECONDS));
  }

  /** A response without an endpoint. uWebSockets.js reads and discards the body that may follow. */
  private refuse(exchange: Exchange, reply: Reply): void {
    const isPreflight = exchange.incoming.method === 'OPTIONS';
    const cors = isPreflight ? [] : this.options.corsFor(exchange.incoming);
    this.send(exchange, { ...reply, headers: [...reply.headers, ...cors] }, 0);
  }

  private work(exchange: Exchange, route: Route, body: Buffer): void {
    const bytes = body.length;
    const doneWithBody = () => this.returnBody(exchange);
    const reply = route.endpoint.handle(exchange.incoming, body, route.parameter, doneWithBody);
    if (!(reply instanceof Promise)) {
      this.send(exchange, reply, bytes);
      return;
    }
    exchange.isAtWork = true;
    reply.then(
      settled => {
        this.endWork(exchange);
        this.guard(exchange, () => this.send(exchange, settled, bytes));
      },
      error => {
        this.endWork(exchange);
        this.fail(exchange, error);
      },
    );
  }

  private endWork(exchange: Exchange): void {
    exchange.isAtWork = false;
    if (exchange.isOver) this.returnBody(exchange);
  }

  /** An exception in a uWebSockets.js handler and an unhandled rejection both end the process. */
  private guard(exchange: Exchange, step: () => void): void {
    try {
      step();
    } catch (error) {
      this.fail(exchange, error);
    }
  }

  private fail(exchange: Exchange, error: unknown): void {
    try {
      exchange.requestId ||= this.options.newId();
      this.options.onError(exchange.incoming, exchange.requestId, error);
      // A partial response cannot be taken back and must not look complete.
      if (exchange.hasBegun) throw error;
      this.refuse(exchange, problemReply(problem('INTERNAL')));
    } catch {
      if (!exchange.isOver) exchange.response.close();
    }
  }

  private send(exchange: Exchange, reply: Reply, bodyBytes: number): void {
    const { incoming, startedMs, requestId, route } = exchange;
    this.options.onReply(route?.path, reply, performance.now() - startedMs, bodyBytes, requestId);
    // If the request is still being read, uWebSockets.js would continue with the following bytes.
    // An unanswered request makes it close the connection instead.
    if (incoming.isLast)
      setImmediate(() => this.guard(exchange, () => this.write(exchange, reply)));
    else this.write(exchange, reply);
  }

  private write(exchange: Exchange, reply: Reply): void {
    if (exchange.isOver) return;
    const { incoming, response } = exchange;
    const closes = this.isClosing || reply.closes === true || incoming.isLast;
    exchange.hasBegun = true;
    response.cork(() => {
      response.writeStatus(statusLine(reply.status));
      if (reply.contentType !== '') response.writeHeader('Content-Type', reply.contentType);
      for (const [name, value] of reply.headers) response.writeHeader(name, value);
      if (exchange.requestId !== '') response.writeHeader('X-Request-Id', exchange.requestId);
      if (incoming.method === 'HEAD') endHead(response, Buffer.byteLength(reply.body), closes);
      else response.end(reply.body, closes);
    });
    this.finish(exchange);
  }

  private finish(exchange: Exchange): void {
    if (exchange.isOver) return;
    exchange.isOver = true;
    if (!exchange.isAtWork) this.returnBody(exchange);
    this.open--;
    if (this.open === 0) this.onIdle?.();
  }

  private returnBody(exchange: Exchange): void {
    const { body, route } = exchange;
    if (body === undefined) return;
    exchange.body = undefined;
    this.heldBytes -= body.length;
    if (route?.endpoint.returnsBody === true) this.bodies.giveBack(body);
  }
}
