/** Names AWS calls by their effect without ids: `Update conversation`. */

export interface AwsCall {
  /** Name such as `PutItem` or `SendMessage`. */
  command: string;
  input: object;
}

const WRITES = /^(Put|Update|Delete|TransactWrite|BatchWrite|Send|Copy|Change|Create|Complete|Upload|Publish|Invoke)/;
/** Returns true for calls that may write, whose lost responses matter. */
export const isWrite = ({ command }: AwsCall) => WRITES.test(command);

interface Key {
  pk?: unknown;
  sk?: unknown;
}

export const siteOf = ({ command, input }: AwsCall): string => {
  const parts = [...new Set(partsOf(input as Record<string, unknown>))].sort();
  return [command, ...parts].join(' ');
};

function partsOf(input: Record<string, unknown>): string[] {
  if (Array.isArray(input.TransactItems)) {
    return (input.TransactItems as Record<string, { Item?: Key; Key?: Key }>[]).map(item => {
      const [verb, part] = Object.entries(item)[0]!;
      return `${verb}:${kindOf(part.Item ?? part.Key)}`;
    });
  }
  if (typeof input.RequestItems === 'object') {
    return Object.values(input.RequestItems as Record<string, unknown>).flatMap(each =>
      (Array.isArray(each) ? each : ((each as { Keys?: Key[] }).Keys ?? [])).map(one =>
        kindOf(one.PutRequest?.Item ?? one.DeleteRequest?.Key ?? one),
      ),
    );
  }
  if (input.ExpressionAttributeValues && input.KeyConditionExpression) {
    const values = input.ExpressionAttributeValues as Record<string, unknown>;
    return [kindOf({ pk: values[':pk'], sk: values[':prefix'] ?? values[':first'] })];
  }
  if (typeof input.QueueUrl === 'string') return [input.QueueUrl.split('/').at(-1)!];
  if (typeof input.Prefix === 'string' || typeof input.Bucket === 'string') {
    return [String(input.Key ?? input.Prefix ?? '').split('/')[0]!];
  }
  return [kindOf((input.Item ?? input.Key) as Key | undefined)];
}

/** Partitions whose sort keys start with callers' input. */
const NAMED = new Set(['names', 'interfaceNames', 'pluginNames', 'tables', 'handle', 'term']);

/** Returns the kind of an item by its key: `convo participant`. */
function kindOf({ pk, sk }: Key = {}): string {
  const [tenant = '', rest = ''] = String(pk ?? '').split('#');
  const partition = /^(account|webhook|handle|due|staged|parked|rate|hub|bootstrap)$/.test(tenant)
    ? tenant
    : rest.replace(/[_@].*/, '');
  const [kind = ''] = String(sk ?? '').split('#');
  return `${partition}/${/^[a-z][a-zA-Z]*$/.test(kind) && !NAMED.has(partition) ? kind : ''}`;
}
