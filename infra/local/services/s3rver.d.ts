/** The parts of `@20minutes/s3rver` that this repository uses; the package has no types. */
declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      configureBuckets: { name: string; configs?: string[] }[];
    });
    /** Koa middleware. */
    middleware: ((
      context: {
        path: string;
        app: object;
        method: string;
        query: Record<string, string>;
        status: number;
        body: unknown;
        get(header: string): string;
        set(header: string, value: string): void;
      },
      next: () => Promise<void>,
    ) => Promise<void>)[];
    store: {
      /** The path of one of an object's files, or, without a key, of one of the bucket's directories. */
      getResourcePath(bucket: string, key: string | undefined, resource: string): string;
      /** Assembles an object from its parts, and removes them. */
      putObjectMultipart(
        bucket: string,
        uploadId: string,
        parts: { number: number; etag: string }[],
      ): Promise<{ md5: string; size: number }>;
      deleteObject(bucket: string, key: string): Promise<void>;
      /** Rejects if there is no such object. */
      getMetadata(bucket: string, key: string): Promise<{ etag: string }>;
      copyObject(fromBucket: string, fromKey: string, bucket: string, key: string): Promise<{ etag: string }>;
    };
    run(): Promise<{ port: number }>;
    /** Set by `run`. */
    httpServer: import('node:http').Server;
    close(): Promise<void>;
  }
}

declare module '@20minutes/s3rver/lib/models/error.js' {
  /** Thrown in a request, it is the answer, in the shape of S3. */
  export default class S3Error extends Error {
    constructor(code: string, message: string);
  }
}
