/** A picture of the widget: a file that becomes a data URL, or an https URL. */
import { Button, FileButton, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { widget } from '../../messages/en/widget.ts';
import { translator } from '../../messages/translate.ts';
import { readPicture } from '../../parts/readPicture.ts';
import classes from './Widget.module.css';

const t = translator('widget', widget);

/** As base64, the limit of the API. */
const MAX_FILE_BYTES = 40_000;

interface PictureSettingProps {
  label: string;
  about?: string;
  value: string | undefined;
  /** Crops a file to a small square. Other files are stored as they are. */
  isSquare?: boolean;
  onChange: (value: string) => void;
}

export function PictureSetting({ label, about, value = '', isSquare = false, onChange }: PictureSettingProps) {
  const [fault, setFault] = useState('');
  const isFile = value.startsWith('data:');
  const choose = async (file: File | null) => {
    if (!file) return;
    if (!isSquare && file.size > MAX_FILE_BYTES) return setFault(t('fileTooLarge'));
    const picture = isSquare ? await readPicture(file) : await dataUrlOf(file);
    if (picture) onChange(picture);
    setFault(picture ? '' : t('noImage'));
  };
  return (
    <Group align="flex-end" gap="xs">
      {isFile ? (
        <div>
          <div className="mantine-InputWrapper-label">{label}</div>
          <img src={value} alt={label} className={classes.picture} />
        </div>
      ) : (
        <TextInput
          flex={1}
          miw={180}
          label={label}
          description={about}
          placeholder="https://"
          maxLength={2_000}
          value={value}
          onChange={event => onChange(event.currentTarget.value)}
          error={fault}
        />
      )}
      <FileButton onChange={file => void choose(file)} accept="image/png,image/jpeg,image/webp,image/svg+xml">
        {props => (
          <Button {...props} variant="default" aria-label={`${label}: ${t('chooseFile')}`}>
            {t('chooseFile')}
          </Button>
        )}
      </FileButton>
      {value && (
        <Button variant="default" aria-label={`${label}: ${t('removePicture')}`} onClick={() => onChange('')}>
          {t('removePicture')}
        </Button>
      )}
    </Group>
  );
}

const dataUrlOf = (file: File): Promise<string | undefined> =>
  new Promise(resolve => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => resolve(undefined);
    reader.readAsDataURL(file);
  });
