/**
 * The emulator checks two rights differently from AWS, so the stack's policies never match there:
 *
 * - `lambda:CreateFunction` against `*`, because it finds no name in the URL; AWS takes the name of the new function;
 * - `sqs:SendMessageBatch`, which AWS does not know: `sqs:SendMessage` allows both.
 */
import { emulatorAuthorization } from './emulatorAuthorization.ts';

interface Statement {
  Action: string | string[];
  Resource: string | string[];
}

const listOf = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** Adds to each role what it lacks there for what it may do on AWS. */
export async function grantEmulatorRights(endpoint: string): Promise<void> {
  const names = texts(await iam(endpoint, { Action: 'ListRoles', MaxItems: '1000' }), 'RoleName');
  if (!names.some(isDeployer)) throw new Error('The stack has no role of deployCode.');
  for (const RoleName of names) {
    const batches = (await statementsOf(endpoint, RoleName))
      .filter(({ Action }) => listOf(Action).includes('sqs:SendMessage'))
      .map(({ Resource }) => ({ Effect: 'Allow', Action: 'sqs:SendMessageBatch', Resource }));
    const creation = isDeployer(RoleName) ? [{ Effect: 'Allow', Action: 'lambda:CreateFunction', Resource: '*' }] : [];
    const Statement = [...batches, ...creation];
    if (Statement.length === 0) continue;
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
    await iam(endpoint, { Action: 'PutRolePolicy', RoleName, PolicyName: 'emulator', PolicyDocument });
  }
}

const isDeployer = (role: string) => role.includes('deployCode');

async function statementsOf(endpoint: string, RoleName: string): Promise<Statement[]> {
  const names = texts(await iam(endpoint, { Action: 'ListRolePolicies', RoleName }), 'member');
  const documents = await Promise.all(
    names.map(async PolicyName =>
      texts(await iam(endpoint, { Action: 'GetRolePolicy', RoleName, PolicyName }), 'PolicyDocument'),
    ),
  );
  return documents.flat().flatMap(text => listOf<Statement>(JSON.parse(decodeURIComponent(text)).Statement));
}

/** The contents of all elements with this name. */
const texts = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);

/** Plain HTTP saves a dependency on the SDK's client. */
async function iam(endpoint: string, parameters: Record<string, string>): Promise<string> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      authorization: emulatorAuthorization('iam'),
    },
    body: new URLSearchParams({ ...parameters, Version: '2010-05-08' }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${parameters.Action} answered ${response.status}: ${text}`);
  return text;
}
