/** The published reference of an interface, served beside its operations as `openapi.json`. */
import { type Api, chatApi, platformApi } from './apis.ts';
import { publishedDocument } from './openapi.ts';

const referenceOf = (api: Api, functionName: string) => ({
  functionName,
  text: JSON.stringify(publishedDocument(api)),
});

export const references = [referenceOf(chatApi, 'chatReference'), referenceOf(platformApi, 'apiReference')];
