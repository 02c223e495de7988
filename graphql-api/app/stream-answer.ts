// An answer that goes on: passed on piece by piece, and cut where nobody takes the pieces. What waits
// for a client that doesn't read would otherwise wait for as long as the connection lasts.

/** A client that reads at all has taken something by then. */
const UNREAD_MS_MAX = 5_000;

export function isStream({ headers }: Pick<Response, 'headers'>): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

/** Proxies are told to pass each piece on at once. */
export function streamAnswer(answer: Response): Response {
  const headers = new Headers([...answer.headers]);
  // These are the connection's and the proxy's to say.
  headers.delete('connection');
  headers.delete('content-encoding');
  headers.set('cache-control', 'no-store');
  headers.set('x-accel-buffering', 'no');
  const body = answer.body === null ? null : cutWhereUnread(answer.body);
  return new Response(body, { status: answer.status, headers });
}

function cutWhereUnread(source: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  // Unlike a reader's, its end doesn't wait for the next piece.
  const pieces = source[Symbol.asyncIterator]();
  const end = () => void pieces.return?.().catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(timer);
        const { done, value } = await pieces.next();
        if (done) {
          controller.close();
          return;
        }
        controller.enqueue(value);
        timer = setTimeout(() => {
          controller.error(new Error('the client does not read'));
          end();
        }, UNREAD_MS_MAX);
      },
      cancel() {
        clearTimeout(timer);
        end();
      },
    },
    // Nothing is read ahead, so that what waits here is what was not taken.
    { highWaterMark: 1 },
  );
}
