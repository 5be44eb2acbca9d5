/** Fields that mean the same in every group. Describe a field here only if no operation gives it another meaning. */
import type { FieldTexts } from '#shared/api/reference/fieldTexts.ts';

const record = 'Time at which the record was created.';

export const common: FieldTexts = {
  of: [''],
  texts: {
    createdAt: record,
    updatedAt: 'Time of the last change of the record.',
    meta: 'Information about the response instead of the record.',
    'meta.nextToken': 'Token of the next page. Send it as `nextToken` with unchanged filters. Absent on the last page.',
    'meta.created': 'True if this call created the record, false if it found an existing one.',
    'tags.*.not': 'Excluded values of the tag. Records without the tag match.',
  },
};
