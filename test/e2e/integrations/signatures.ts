/** Requests that a provider signs. */
import { createHmac } from 'node:crypto';

export const hmac = (secret: string, text: string, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac('sha256', secret).update(text).digest(encoding);

/** Posts JSON. @param sign the headers that authenticate the body */
export function post(url: string, body: object, sign: (text: string) => Record<string, string> = () => ({})) {
  const text = JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...sign(text) }, body: text });
}
