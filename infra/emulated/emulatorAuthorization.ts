/** Returns the header for calls without an SDK. The emulator ignores the signature. */
export const emulatorAuthorization = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request`;
