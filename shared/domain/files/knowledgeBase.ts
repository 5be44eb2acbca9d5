import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { displayName } from '#shared/core/text.ts';
import type { KnowledgeBase } from '#shared/storage/dynamodb/files/knowledgeBases.ts';
import { Tags } from './fileView.ts';

export const knowledgeBaseName = () => displayName(200);

const fields = { id: z.string(), name: z.string(), tags: Tags };
export const KnowledgeBaseView = z.object(fields);
export const ListedKnowledgeBase = z.object({ ...fields, createdAt: dateTime() });

export const viewKnowledgeBase = ({ id, name, tags }: KnowledgeBase) => ({ id, name, tags });
export const viewListedKnowledgeBase = (knowledgeBase: KnowledgeBase) => ({
  ...viewKnowledgeBase(knowledgeBase),
  createdAt: iso(knowledgeBase.createdAtMs),
});
