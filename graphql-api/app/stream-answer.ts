// Sends a streaming response chunk by chunk, and closes it if the client stops reading. Otherwise
// the chunks would wait for as long as the connection lasts.

/** How long a chunk can stay unread. */
const UNREAD_MS_MAX = 5_000;

export function isStream({ headers }: Pick<Response, 'headers'>): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** Tells proxies to forward each chunk immediately. */
export function streamAnswer(answer: Response): Response {
  const headers = new Headers([...answer.headers]);
  // The connection and proxies set these headers themselves.
  headers.delete('connection');
  headers.delete('content-encoding');
  headers.set('cache-control', 'no-store');
  headers.set('x-accel-buffering', 'no');
  const body = answer.body === null ? null : closeIfUnread(answer.body);
  return new Response(body, { status: answer.status, headers });
}

function closeIfUnread(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  // Unlike a reader, it can be ended without waiting for the next chunk.
  const chunks = source[Symbol.asyncIterator]();
  const end = () => void chunks.return?.().catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer);
        const { done, value } = await chunks.next();
        if (done) {
          controller.close();
          return;
        }
        controller.enqueue(value);
        timer = setTimeout(() => {
          controller.error(new Error('the client stopped reading'));
          end();
        }, UNREAD_MS_MAX);
      },
      cancel() {
        clearTimeout(timer);
        end();
      },
    },
    // Does not read ahead, so that a queued chunk is one that the client has not read.
    { highWaterMark: 1 },
  );
}
