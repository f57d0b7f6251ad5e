import { LIMITS, type OwnFrame } from '@framelift/contract';
import { parseCalibration } from '@framelift/engine/formats';
import { Button, Group, Text, Textarea } from '@mantine/core';
import IconFileUpload from '@tabler/icons-react/icons/IconFileUpload';
import { useMutation } from '@tanstack/react-query';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { setFrameCalibration } from '../../api/frames.ts';
import { FileButton } from '../../ui/FileButton.tsx';
import { showToast } from '../../ui/toasts.ts';
import classes from './FramePage.module.css';

/** The calibration of a light field: the file `visual.json` of the display, chosen, dropped or pasted. */
export function CalibrationField({ frame, onStored }: { frame: OwnFrame; onStored: () => void }) {
  const { t } = useTranslation('frames');
  const { t: errors } = useTranslation('errors');
  const store = useMutation(setFrameCalibration(frame.id));
  const isRemoving = store.isPending && store.variables === null;
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  const [dragged, setDragged] = useState(false);

  const take = (given: string) => {
    setText(given);
    setProblem(undefined);
    if (given.trim() === '') return;
    try {
      parseCalibration(given);
    } catch {
      setProblem(errors('calibrationInvalid'));
      return;
    }
    store.mutate(given, {
      onSuccess: () => {
        setText('');
        showToast({ kind: 'success', text: t('calibration.stored', { name: frame.name }) });
        onStored();
      },
      onError: (error) => setProblem(error.message),
    });
  };
  const takeFile = async (file: File | undefined) => {
    if (!file) return;
    // A larger file is not read: it is certainly another one.
    if (file.size > LIMITS.calibrationCharacters * 4) setProblem(errors('calibrationInvalid'));
    else take(await file.text());
  };
  const remove = () => {
    setProblem(undefined);
    store.mutate(null, { onError: (error) => setProblem(error.message) });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragged(false);
    void takeFile(event.dataTransfer.files[0]);
  };

  return (
    <fieldset
      className={classes.calibration}
      data-dragged={dragged || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setDragged(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragged(false);
      }}
      onDrop={drop}
    >
      <Text component="legend" fw={500}>
        {t('calibration.title')}
      </Text>
      <Text size="sm" c="dimmed">
        {t('calibration.text')}
      </Text>
      <Text size="sm" role="status">
        {frame.hasCalibration ? t('calibration.present') : t('calibration.absent')}
      </Text>
      <Group>
        <FileButton accept=".json,application/json" onFiles={([file]) => void takeFile(file)}>
          {(open) => (
            <Button
              variant="default"
              leftSection={<IconFileUpload size="1.25rem" aria-hidden />}
              loading={store.isPending && !isRemoving}
              onClick={open}
            >
              {t('calibration.choose')}
            </Button>
          )}
        </FileButton>
        {frame.hasCalibration && (
          <Button variant="subtle" color="gray" loading={isRemoving} onClick={remove}>
            {t('calibration.remove')}
          </Button>
        )}
      </Group>
      <Textarea
        label={t('calibration.paste')}
        size="md"
        rows={3}
        spellCheck={false}
        value={text}
        error={problem}
        onChange={(event) => take(event.currentTarget.value)}
      />
    </fieldset>
  );
}
