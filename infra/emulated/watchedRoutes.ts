/** Calls one route of each group continuously, to detect routes without a function during an update. */
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 100;

export interface Watch {
  /** Stops calling. @throws Error with the failed calls, or if there was no call */
  end(): Promise<string>;
}

/** Without a tenant, a function responds with 4xx. Excludes streams, which the emulator does not support. */
const routesOf = (chatBaseUrl: string, apiBaseUrl: string, webhookBaseUrl: string) => [
  `${chatBaseUrl}/absent/hello`,
  `${apiBaseUrl}/v1/admin/workspaces`,
  `${apiBaseUrl}/v1/chat/conversations`,
  `${apiBaseUrl}/v1/files`,
  `${apiBaseUrl}/v1/tables`,
  `${apiBaseUrl}/v2/cognitive/models`,
  `${webhookBaseUrl}/absent`,
];

export function watchRoutes(chatBaseUrl: string, apiBaseUrl: string, webhookBaseUrl: string): Watch {
  const counts = new Map<string, number>();
  const ending = new AbortController();
  const call = async (url: string) => {
    const outcome = await fetch(url, { headers: { authorization: 'Bearer absent' } })
      .then(({ status }) => (status < 500 ? 'passed' : `${status} of ${url}`))
      .catch((error: Error) => `${error.message}: ${url}`);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  };
  const calling = (async () => {
    while (!ending.signal.aborted) {
      for (const url of routesOf(chatBaseUrl, apiBaseUrl, webhookBaseUrl)) await call(url);
      await sleep(PAUSE_MS);
    }
  })();
  return {
    end: async () => {
      ending.abort();
      await calling;
      const passed = counts.get('passed') ?? 0;
      const failed = [...counts].filter(([outcome]) => outcome !== 'passed');
      if (failed.length > 0 || passed === 0)
        throw new Error(
          ['Calls during the update:', ...failed.map(each => each.join(': ')), `${passed} passed`].join('\n'),
        );
      return `${passed} calls passed during the update`;
    },
  };
}
