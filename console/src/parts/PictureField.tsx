/** Chooses a picture, which is stored as a data URL. */
import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { common } from '../messages/en/common.ts';
import { translator } from '../messages/translate.ts';
import { Monogram } from './Monogram.tsx';
import { readPicture } from './readPicture.ts';

const t = translator('common', common);

interface PictureFieldProps {
  label: string;
  /** Name and id of the owner, for the monogram without a picture. */
  name: string;
  id: string;
  value: string;
  onChange: (picture: string) => void;
  isReadOnly?: boolean;
}

export function PictureField({ label, name, id, value, onChange, isReadOnly = false }: PictureFieldProps) {
  const [fault, setFault] = useState('');
  const choose = async (file: File | null) => {
    if (!file) return;
    const picture = await readPicture(file);
    if (picture) onChange(picture);
    setFault(picture ? '' : t('noPicture'));
  };
  return (
    <Stack gap={4}>
      <Group>
        {/* Other sites would learn who opens the page. */}
        {value.startsWith('data:image/') ? (
          <img src={value} alt={label} width={56} height={56} style={{ borderRadius: '50%' }} />
        ) : (
          <Monogram name={name} id={id} size={56} />
        )}
        {!isReadOnly && (
          <FileButton onChange={file => void choose(file)} accept="image/png,image/jpeg,image/webp">
            {props => (
              <Button {...props} size="xs" variant="default">
                {t('choosePicture')}
              </Button>
            )}
          </FileButton>
        )}
        {value && !isReadOnly && (
          <Button size="xs" variant="default" onClick={() => onChange('')}>
            {t('removePicture')}
          </Button>
        )}
      </Group>
      {fault && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  );
}
