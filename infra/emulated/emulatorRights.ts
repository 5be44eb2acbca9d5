/**
 * Grants permissions that the emulator checks differently from AWS: `lambda:CreateFunction` on `*`, because it finds no
 * name in the URL, and `sqs:SendMessageBatch`, which AWS includes in `sqs:SendMessage`.
 */
import { emulatorAuthorization } from './emulatorAuthorization.ts';

interface Statement {
  Action: string | string[];
  Resource: string | string[];
}

const listOf = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

export async function grantEmulatorRights(endpoint: string): Promise<void> {
  const names = texts(await iam(endpoint, { Action: 'ListRoles', MaxItems: '1000' }), 'RoleName');
  if (!names.some(isDeployer)) throw new Error('The stack has no role for deployCode.');
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

const texts = (xml: string, element: string): string[] =>
  [...xml.matchAll(new RegExp(`<${element}>([^<]*)</${element}>`, 'g'))].map(([, text]) => text!);

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
  if (!response.ok) throw new Error(`${parameters.Action} returned ${response.status}: ${text}`);
  return text;
}
