/** What the deployed functions have logged as errors, read from the emulator's CloudWatch Logs. */

interface LogGroups {
  logGroups: { logGroupName: string }[];
  nextToken?: string;
}
interface LogEvents {
  events: { message: string }[];
  nextToken?: string;
}

/** A few of a function say it: all of them would drown the rest. */
const ENTRIES_PER_FUNCTION = 5;

/** @returns the last entries of each function, after the name of its log group */
export async function functionErrors(endpoint: string): Promise<string[]> {
  const groups = await readPages<LogGroups>(endpoint, 'DescribeLogGroups', {});
  const names = groups.flatMap(({ logGroups }) => logGroups.map(({ logGroupName }) => logGroupName));
  const errors = await Promise.all(
    names.map(async logGroupName => {
      const found = await readPages<LogEvents>(endpoint, 'FilterLogEvents', { logGroupName });
      const messages = found.flatMap(({ events }) => events.map(({ message }) => message)).filter(isError);
      return messages.slice(-ENTRIES_PER_FUNCTION).map(message => `${logGroupName.split('/').at(-1)}: ${message}`);
    }),
  );
  return errors.flat();
}

/** Our own entries are JSON; of a crash or a timeout Node and Lambda tell in plain text. */
const isError = (message: string) =>
  message.startsWith('{') ? message.includes('"level":"ERROR"') : /error|timed out/i.test(message);

/** Plain HTTP, because the SDK's client would be one dependency more for this alone. */
async function readPages<Page extends { nextToken?: string }>(endpoint: string, action: string, input: object) {
  const pages: Page[] = [];
  let nextToken: string | undefined;
  do {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `Logs_20140328.${action}`,
        // The emulator knows its owner by this key and checks no signature of his.
        authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/logs/aws4_request',
      },
      body: JSON.stringify({ ...input, nextToken }),
    });
    if (!response.ok) throw new Error(`${action} answered ${response.status}: ${await response.text()}`);
    const page = (await response.json()) as Page;
    pages.push(page);
    nextToken = page.nextToken;
  } while (nextToken);
  return pages;
}
