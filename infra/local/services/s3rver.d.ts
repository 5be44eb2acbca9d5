/** Types for the parts of `@20minutes/s3rver` in use. The package has none. */
declare module '@20minutes/s3rver' {
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      allowMismatchedSignatures: boolean;
      configureBuckets: { name: string; configs?: string[] }[];
    });
    middleware: ((
      context: {
        path: string;
        req: import('node:http').IncomingMessage;
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
      /** Returns the path of one of an object's files or, without a key, of one of the bucket's directories. */
      getResourcePath(bucket: string, key: string | undefined, resource: string): string;
      putObjectMultipart(
        bucket: string,
        uploadId: string,
        parts: { number: number; etag: string }[],
      ): Promise<{ md5: string; size: number }>;
      deleteObject(bucket: string, key: string): Promise<void>;
      getObject(bucket: string, key: string, options?: object): Promise<unknown>;
      putObject(object: {
        bucket: string;
        key: string;
        content: unknown;
        metadata: Record<string, string>;
      }): Promise<{ size: number; md5: string }>;
      /** Writes a file, and returns its size and checksum. */
      putContent(path: string, content: unknown): Promise<[size: number, md5: string]>;
      getMetadata(bucket: string, key: string): Promise<{ etag: string }>;
      copyObject(
        fromBucket: string,
        fromKey: string,
        bucket: string,
        key: string,
        replacement: Record<string, string> | undefined,
      ): Promise<{ etag: string }>;
    };
    run(): Promise<{ port: number }>;
    httpServer: import('node:http').Server;
    close(): Promise<void>;
  }
}

declare module '@20minutes/s3rver/lib/models/error.js' {
  /** Error response in S3's format, thrown by a request. */
  export default class S3Error extends Error {
    constructor(code: string, message: string);
  }
}
