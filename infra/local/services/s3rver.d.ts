/** The parts of `@20minutes/s3rver` that are used here; the package brings no types. */
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
    /** Koa's. */
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
      /** The file that one part of an object is kept in. */
      getResourcePath(bucket: string, key: string, resource: string): string;
      deleteObject(bucket: string, key: string): Promise<void>;
    };
    run(): Promise<{ port: number }>;
    /** There once it runs. */
    httpServer: import('node:http').Server;
    close(): Promise<void>;
  }
}
