// The package has no types.
declare module '@20minutes/s3rver' {
  type Middleware = (
    context: { readonly method: string; status: number },
    next: () => Promise<void>,
  ) => Promise<void>;

  export default class S3rver {
    readonly middleware: Middleware[];
    constructor(options: Readonly<Record<string, unknown>>);
    run(): Promise<{ readonly port: number }>;
    close(): Promise<void>;
  }
}
