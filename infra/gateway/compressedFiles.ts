import { REFERENCE_SCRIPT, WEBCHAT_SCRIPT, WEBCHAT_STYLE } from './apis.ts';
import type { CompressedFile } from './compressedFile.ts';
import { SCRIPT_HEADERS, scriptBody } from './reference/page.ts';
import { CLIENT_SCRIPT_HEADERS, CLIENT_STYLE_HEADERS, clientScript, clientStyle } from './webchat/client.ts';

export const COMPRESSED_FILES: readonly CompressedFile[] = [
  { functionName: REFERENCE_SCRIPT, headers: SCRIPT_HEADERS, body: scriptBody },
  { functionName: WEBCHAT_SCRIPT, headers: CLIENT_SCRIPT_HEADERS, body: clientScript },
  { functionName: WEBCHAT_STYLE, headers: CLIENT_STYLE_HEADERS, body: clientStyle },
];
