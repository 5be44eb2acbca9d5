/**
 * Returns the header for calls of the emulator without an SDK. It reads the account from the access key, and ignores
 * the signature.
 */
export const emulatorAuthorization = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request`;
