/** Uploads of users. */
import { shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const files = [
  shapeIn('chat', ['createFile.body'], {
    key: 'Name of the file, unique among the files of the user. It becomes `<userId>/<key>`.',
    size: 'Exact number of bytes that the client uploads to `uploadUrl`: up to 25 MB.',
    accessPolicies: 'Ignored, because users cannot set policies. Accepted for the webchat client.',
    index: 'Only false: uploads of users are not searchable.',
    contentType: 'Media type of the content. Default: derived from the extension of `key`.',
    tags: 'Strings by name that are stored with the file. `kbId` is rejected.',
    expiresAt: 'Time at which the file is deleted. Default and maximum: 30 days after the call.',
  }),
  shapeIn('chat', ['createFile.output'], { file: 'The announced file. It has no content until the upload.' }),
  shapeIn('chat', ['createFile.output.file'], {
    id: 'Id of the file, `file_` and 24 characters.',
    botId: 'Bot to whose storage the file belongs.',
    key: 'Name of the file with the id of the user before it.',
    size: 'Number of bytes. Null until the content has arrived.',
    contentType: 'Media type with which the content must be uploaded.',
    tags: 'Strings by name that were sent with the file.',
    accessPolicies: 'Policies of the file. Empty: anyone with the address in `url` can read it.',
    index: 'Always false.',
    status: 'Progress of the upload: `upload_pending` until the content has arrived.',
    expiresAt: 'Time at which the platform deletes the file.',
    url: 'Address of the content, readable by anyone who has it until the file expires.',
    uploadUrl: 'Address to which the client sends the content by `PUT`, within one hour.',
  }),
];
