import { SCRIPT_HEADERS, scriptBody } from '#infra/gateway/referencePage/page.ts';
import type { CompressedFile } from '#infra/gateway/static/compressedFile.ts';
import {
  CLIENT_SCRIPT_HEADERS,
  CLIENT_STYLE_HEADERS,
  clientScript,
  clientStyle,
} from '#infra/gateway/webchat/webchatClient.ts';
import { REFERENCE_SCRIPT, WEBCHAT_SCRIPT, WEBCHAT_STYLE } from './apis.ts';

export const COMPRESSED_FILES: readonly CompressedFile[] = [
  { functionName: REFERENCE_SCRIPT, headers: SCRIPT_HEADERS, body: scriptBody },
  { functionName: WEBCHAT_SCRIPT, headers: CLIENT_SCRIPT_HEADERS, body: clientScript },
  { functionName: WEBCHAT_STYLE, headers: CLIENT_STYLE_HEADERS, body: clientStyle },
];
