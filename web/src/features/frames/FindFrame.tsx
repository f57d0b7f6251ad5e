import { Anchor, Button, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { deviceQuery } from '../../api/frames.ts';
import { frameAddress } from '../../shared/show-on-frame/PairSteps.tsx';
import { Form } from '../../ui/Form.tsx';
import { lazyNamed } from '../../ui/lazy-named.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './Frames.module.css';
import { frameCodeOf } from './frame-code.ts';
import { sentenceOf } from './frame-words.ts';

const QrScanner = lazyNamed(() => import('../../shared/scanner/QrScanner.tsx'), 'QrScanner');

interface Props {
  /** The previously entered code, and the resulting error. */
  readonly typed: string;
  readonly error?: unknown;
  /** Called with the code of a waiting frame. */
  readonly onFound: (code: string) => void;
}

/** Finds the frame to pair: by scanning its code, by a photo of the code, or by typing it. */
export function FindFrame({ typed, error, onFound }: Props) {
  const { t } = useTranslation('frames');
  const queries = useQueryClient();
  const [text, setText] = useState(typed);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(error ? sentenceOf(error) : typed === '' ? undefined : t('scan.invalid'));
  const field = useRef<HTMLInputElement>(null);
  const form = useFormFocus(busy, problem);
  const here = useRef(false);
  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  const find = async (code: string) => {
    setText(code);
    setProblem(undefined);
    setBusy(true);
    try {
      // A code that was wrong before may be valid now, so it is always fetched again.
      await queries.fetchQuery({ ...deviceQuery(code), staleTime: 0 });
      // Ignored if the user has left the page meanwhile. The form stays busy until it is unmounted.
      if (here.current) onFound(code);
    } catch (failure) {
      setProblem(sentenceOf(failure));
      setBusy(false);
    }
  };
  const submit = () => {
    if (busy) return;
    const code = frameCodeOf(text, location.origin);
    if (code === null) setProblem(t(text.trim() === '' ? 'scan.missing' : 'scan.invalid'));
    else void find(code);
  };

  return (
    <>
      <div className={classes.intro}>
        <Title order={1}>{t('scan.title')}</Title>
        <Text c="dimmed">{t('scan.text', { address: frameAddress() })}</Text>
      </div>
      <div className={classes.find}>
        <Suspense fallback={<div className={classes.camera} />}>
          <QrScanner
            accept={(scanned) => frameCodeOf(scanned, location.origin)}
            onFound={(code) => void find(code)}
            busy={busy}
            onType={() => field.current?.focus()}
          />
        </Suspense>
        <Form ref={form} className={classes.form} onSubmit={submit}>
          <TextInput
            ref={field}
            label={t('scan.code')}
            description={t('scan.hint')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            classNames={{ input: classes.code ?? '' }}
            name="device"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={text}
            error={problem}
            disabled={busy}
            onChange={(event) => {
              setText(event.currentTarget.value);
              setProblem(undefined);
            }}
          />
          <Button type="submit" loading={busy}>
            {t('scan.next')}
          </Button>
          <Anchor component={Link} to="/menu/frameSetting" className={classes.link ?? ''}>
            {t('scan.mine')}
          </Anchor>
        </Form>
      </div>
    </>
  );
}
