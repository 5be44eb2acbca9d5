/** Reads errors of deployed functions from the emulator's CloudWatch Logs. */

interface LogGroups {
  logGroups: { logGroupName: string }[];
  nextToken?: string;
}
interface LogEvents {
  events: { message: string }[];
  nextToken?: string;
}

/** Limit, because more entries would hide the errors of other functions. */
const ENTRIES_PER_FUNCTION = 5;

export async function functionErrors(endpoint: string, about = ''): Promise<string[]> {
  const groups = await readPages<LogGroups>(endpoint, 'DescribeLogGroups', {});
  const names = groups.flatMap(({ logGroups }) => logGroups.map(({ logGroupName }) => logGroupName));
  const errors = await Promise.all(
    names.map(async logGroupName => {
      const found = await readPages<LogEvents>(endpoint, 'FilterLogEvents', { logGroupName });
      const messages = found.flatMap(({ events }) => events.map(({ message }) => message));
      const wanted = messages.filter(message => isError(message) && message.includes(about));
      return wanted.slice(-ENTRIES_PER_FUNCTION).map(message => `${logGroupName.split('/').at(-1)}: ${message}`);
    }),
  );
  return errors.flat();
}

/** The platform logs JSON. Node and Lambda report crashes and timeouts as plain text. */
const isError = (message: string) =>
  message.startsWith('{') ? message.includes('"level":"ERROR"') : /error|timed out/i.test(message);

async function readPages<Page extends { nextToken?: string }>(endpoint: string, action: string, input: object) {
  const pages: Page[] = [];
  let nextToken: string | undefined;
  do {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `Logs_20140328.${action}`,
        authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/logs/aws4_request',
      },
      body: JSON.stringify({ ...input, nextToken }),
    });
    if (!response.ok) throw new Error(`${action} returned ${response.status}: ${await response.text()}`);
    const page = (await response.json()) as Page;
    pages.push(page);
    nextToken = page.nextToken;
  } while (nextToken);
  return pages;
}
