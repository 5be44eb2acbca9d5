/**
 * Lets the function that deploys code create functions of any name. AWS checks `lambda:CreateFunction` against the name of the new
 * function; the emulator, which finds no name in the URL, against `*`, so that the stack's own policy never matches there.
 */
const ROLE = /<RoleName>([^<]*deployCode[^<]*)<\/RoleName>/;

export async function allowCreation(endpoint: string): Promise<void> {
  const roles = await iam(endpoint, { Action: 'ListRoles', MaxItems: '1000' });
  const RoleName = ROLE.exec(roles)?.[1];
  if (!RoleName) throw new Error('The stack has no role of deployCode.');
  const PolicyDocument = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 'lambda:CreateFunction', Resource: '*' }],
  });
  await iam(endpoint, { Action: 'PutRolePolicy', RoleName, PolicyName: 'emulator', PolicyDocument });
}

/** Plain HTTP saves a dependency on the SDK's client. */
async function iam(endpoint: string, parameters: Record<string, string>): Promise<string> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      // The emulator takes the account from the access key and does not check the signature.
      authorization: 'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/iam/aws4_request',
    },
    body: new URLSearchParams({ ...parameters, Version: '2010-05-08' }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${parameters.Action} answered ${response.status}: ${text}`);
  return text;
}
