import * as z from 'zod/mini';
import { environment } from '#shared/core/environment.ts';
import { httpUrl } from '#shared/domain/admin/adminInputs.ts';
import { isPublicHost } from '#shared/outbound/endpoints/publicHost.ts';

/** URL that receives a secret and content of users, so it requires https and a public host. */
export const endpointUrl = () =>
  httpUrl().check(
    z.refine<string>(isAllowed, {
      error: 'Must be an https URL with a public host, such as https://www.example.com/signals',
    }),
  );

function isAllowed(text: string): boolean {
  if (environment.arePrivateEndpointsAllowed) return true;
  const url = URL.parse(text);
  return url?.protocol === 'https:' && isPublicHost(url.hostname);
}
