import { Portal } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMatch } from 'react-router';
import { takeEarlyFiles } from '../../shared/early-files.ts';
import { useUploadDialog } from '../../shared/upload-dialog.tsx';
import classes from './DropAnywhere.module.css';

/** A drag that was not seen for this time has left the window: browsers do not always say so. */
const LEFT_AFTER_MS = 300;

const bringsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/**
 * Takes files that are dropped anywhere in the app or pasted from the clipboard. Pages that take files themselves mark
 * the event as handled. A drop never leaves the app, as it does by default.
 */
export function DropAnywhere() {
  const { t } = useTranslation('shell');
  const { open, start, opened } = useUploadDialog();
  const [dragged, setDragged] = useState(false);
  // What is dropped on an album goes into it, on a frame it is shown there.
  const album = useMatch('/album/:id');
  const frame = useMatch('/menu/frameSetting/:id');
  const to = (album ?? frame)?.params.id;
  const latest = useRef({ open, start, opened, to });
  latest.current = { open, start, opened, to };

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = () => {
      clearTimeout(timer);
      setDragged(false);
    };
    const take = (files: readonly File[]) => {
      const { open, start, opened, to } = latest.current;
      open(opened ? { ...start, files } : { to, files });
    };
    const early = takeEarlyFiles();
    if (early.length > 0) take(early);
    const over = (event: DragEvent) => {
      if (!bringsFiles(event)) return;
      clearTimeout(timer);
      if (event.defaultPrevented) return setDragged(false);
      event.preventDefault();
      setDragged(true);
      timer = setTimeout(end, LEFT_AFTER_MS);
    };
    window.addEventListener('dragover', over, { signal });
    window.addEventListener(
      'drop',
      (event) => {
        end();
        if (!bringsFiles(event) || event.defaultPrevented) return;
        event.preventDefault();
        take([...(event.dataTransfer?.files ?? [])]);
      },
      { signal },
    );
    window.addEventListener(
      'paste',
      (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        // A field takes the text of what is pasted.
        const inField = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
        if (files.length === 0 || event.defaultPrevented || inField) return;
        event.preventDefault();
        take(files);
      },
      { signal },
    );
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, []);

  return (
    dragged && (
      <Portal>
        <div className={classes.hint} role="status">
          <p>{t('dropAnywhere')}</p>
        </div>
      </Portal>
    )
  );
}
