/** The errors that the deployed functions logged, from the emulator's CloudWatch Logs. */

interface LogGroups {
  logGroups: { logGroupName: string }[];
  nextToken?: string;
}
interface LogEvents {
  events: { message: string }[];
  nextToken?: string;
}

/** A few suffice; more would hide those of other functions. */
const ENTRIES_PER_FUNCTION = 5;

/**
 * @param about what they say @returns the last such errors of each function, prefixed with the name of its log group
 */
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

/** The platform logs JSON; Node and Lambda report crashes and timeouts in plain text. */
const isError = (message: string) =>
  message.startsWith('{') ? message.includes('"level":"ERROR"') : /error|timed out/i.test(message);

/** Plain HTTP saves a dependency on the SDK's client. */
async function readPages<Page extends { nextToken?: string }>(endpoint: string, action: string, input: object) {
  const pages: Page[] = [];
  let nextToken: string | undefined;
  do {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `Logs_20140328.${action}`,
        // The emulator takes the account from the access key and does not check the signature.
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
