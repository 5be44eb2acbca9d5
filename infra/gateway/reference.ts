/** The published reference of an interface, served beside its operations as `openapi.json`. */
import { chatInterface, type Interface, platformInterface } from './apis.ts';
import { publishedDocument } from './openapi.ts';

const referenceOf = (api: Interface, functionName: string) => ({
  functionName,
  text: JSON.stringify(publishedDocument(api)),
});

export const references = [referenceOf(chatInterface, 'chatReference'), referenceOf(platformInterface, 'apiReference')];
