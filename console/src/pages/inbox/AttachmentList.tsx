/** The attached files above the buttons of the composer: preview, progress, cancel and retry. */
import { ActionIcon, Button, Loader, Tooltip } from '@mantine/core';
import { useEffect, useState } from 'react';
import { explain } from '../../api/explain.ts';
import { IconFile, IconMovie, IconPhoto, IconVolume, IconX } from '../../icons/tabler.ts';
import { inbox } from '../../messages/en/inbox.ts';
import { locale } from '../../messages/language.ts';
import { translator } from '../../messages/translate.ts';
import classes from './Attachments.module.css';
import { previewOf } from './attachmentFiles.ts';
import type { Attachment, Upload } from './attachmentStore.ts';
import { attachments } from './useAttachments.ts';

const t = translator('inbox', inbox);
const ICONS = { image: IconPhoto, audio: IconVolume, video: IconMovie, file: IconFile } as const;
const megabytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 });
const kilobytes = new Intl.NumberFormat(locale, { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
const percent = new Intl.NumberFormat(locale, { style: 'percent' });

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? kilobytes.format(Math.ceil(bytes / 1024)) : megabytes.format(bytes / 1024 / 1024);

interface AttachmentListProps {
  conversationId: string;
  items: readonly Attachment[];
  /** Undefined while the member is not the assignee. */
  upload: Upload | undefined;
}

export const AttachmentList = ({ conversationId, items, upload }: AttachmentListProps) => (
  <ul className={classes.list} aria-label={t('attachments')}>
    {items.map(item => (
      <li key={item.key} className={classes.item} data-failed={item.state === 'failed'}>
        <Preview item={item} />
        <span className={classes.text}>
          <span className={classes.name} dir="auto" title={item.file.name}>
            {item.file.name}
          </span>
          <span className={classes.state} role={item.state === 'failed' ? 'alert' : undefined}>
            {stateOf(item)}
          </span>
        </span>
        {item.state === 'failed' && upload && (
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => attachments.retry(conversationId, item, upload)}
            aria-label={t('retryUpload', { name: item.file.name })}
          >
            {t('tryAgain')}
          </Button>
        )}
        <Remove item={item} onClick={() => attachments.remove(conversationId, item.key)} />
      </li>
    ))}
  </ul>
);

function Remove({ item, onClick }: { item: Attachment; onClick: () => void }) {
  const label = t(item.state === 'uploading' ? 'cancelUpload' : 'removeFile', { name: item.file.name });
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} onClick={onClick}>
        <IconX size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

function Preview({ item: { file, kind, state } }: { item: Attachment }) {
  const [preview, setPreview] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    if (kind === 'image') void previewOf(file).then(url => isCurrent && setPreview(url));
    return () => {
      isCurrent = false;
    };
  }, [file, kind]);
  const Icon = ICONS[kind];
  return (
    <span className={classes.preview}>
      {preview ? <img src={preview} alt="" /> : <Icon size={18} stroke={1.5} aria-hidden />}
      {state === 'uploading' && <Loader size={16} className={classes.loader} aria-hidden />}
    </span>
  );
}

function stateOf({ file, state, progress, error }: Attachment): string {
  if (state === 'failed') return explain(error).message;
  if (state === 'uploading') return t('uploadProgress', { percent: percent.format(progress) });
  return sizeOf(file.size);
}
