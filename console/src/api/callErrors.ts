/** Reports the errors of all API calls, wherever they are handled. */
let listener: (error: unknown) => unknown = () => undefined;

export const onCallError = (listen: typeof listener) => {
  listener = listen;
};

export const reportCallError = (error: unknown): void => void listener(error);

/** Returns a client that reports the errors of its calls, including those of its lists. */
export const reporting = <Client extends object>(client: Client): Client =>
  new Proxy(client, {
    get(target, name, proxy) {
      const value: unknown = Reflect.get(target, name, proxy);
      if (typeof value !== 'function') return value;
      return (...input: unknown[]) => {
        const result: unknown = Reflect.apply(value, proxy, input);
        if (result instanceof Promise) result.catch(reportCallError);
        return result;
      };
    },
  });
