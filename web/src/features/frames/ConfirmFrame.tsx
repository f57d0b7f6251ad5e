import type { DeviceState, PairedFrame } from '@framelift/contract';
import { Button, Group, Skeleton, Text, TextInput, Title } from '@mantine/core';
import IconDeviceTv from '@tabler/icons-react/icons/IconDeviceTv';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { pairFrame, refuseFrame } from '../../api/frames.ts';
import { Form } from '../../ui/Form.tsx';
import { NAME_FIELD } from '../../ui/name-field.ts';
import { showSuccess } from '../../ui/success-note.ts';
import { showToast } from '../../ui/toasts.ts';
import { useFormFocus } from '../../ui/use-form-focus.ts';
import classes from './Frames.module.css';
import { kindOf, screenSize, sentenceOf } from './frame-words.ts';

/** Asks whether the frame that waits with a code belongs to the member, and for its name. */
export function ConfirmFrame({ device, onOther }: { device: DeviceState; onOther: () => void }) {
  const { t } = useTranslation('frames');
  const navigate = useNavigate();
  const [name, setName] = useState(t('confirm.defaultName'));
  const pairing = useMutation(pairFrame);
  const refusing = useMutation(refuseFrame);
  const [problem, setProblem] = useState<string>();
  const busy = pairing.isPending || refusing.isPending;
  const form = useFormFocus(busy, problem);
  const { deviceId } = device;
  const heading = useRef<HTMLHeadingElement>(null);

  // The previous form was removed, which lost the focus.
  useEffect(() => heading.current?.focus(), []);

  const onError = (error: unknown) => setProblem(sentenceOf(error));
  const pair = () => {
    if (busy) return;
    setProblem(undefined);
    const typed = name.trim();
    const paired = (frame: PairedFrame) => {
      showSuccess({ title: t('confirm.done', { name: frame.name }), text: t('confirm.doneText') });
      // Where it is decided what the frame shows: that is the next step.
      navigate(`/menu/frameSetting/${frame.id}`, { replace: true });
    };
    pairing.mutateAsync(typed === '' ? { deviceId } : { deviceId, name: typed }).then(paired, onError);
  };
  const refuse = () => {
    if (busy) return;
    setProblem(undefined);
    const refused = () => {
      showToast({ kind: 'info', text: t('confirm.refused') });
      onOther();
    };
    refusing.mutateAsync(deviceId).then(refused, onError);
  };

  if (device.frame !== null) {
    return (
      <section className={classes.confirm}>
        <Title order={1} ref={heading} tabIndex={-1}>
          {t('confirm.already', { name: device.frame.name })}
        </Title>
        <Group>
          <Button onClick={() => navigate('/menu/frameSetting', { replace: true })}>{t('scan.mine')}</Button>
          <Button variant="default" onClick={onOther}>
            {t('confirm.other')}
          </Button>
        </Group>
      </section>
    );
  }
  return (
    <section className={classes.confirm}>
      <Title order={1} ref={heading} tabIndex={-1}>
        {t('confirm.title')}
      </Title>
      <div className={classes.card}>
        <IconDeviceTv aria-hidden />
        <dl className={classes.facts}>
          <div className={classes.codeFact}>
            <dt>{t('confirm.code')}</dt>
            <dd className={classes.shownCode}>{deviceId}</dd>
          </div>
          <div>
            <dt>{t('confirm.kind')}</dt>
            <dd>{kindOf(device.kind)}</dd>
          </div>
          <div>
            <dt>{t('confirm.screen')}</dt>
            <dd className="tabular">{screenSize(device.screen)}</dd>
          </div>
        </dl>
      </div>
      <div>
        <Text fw={600}>{t('confirm.question')}</Text>
        <Text c="dimmed">{t('confirm.warning')}</Text>
      </div>
      <Form ref={form} className={classes.form} onSubmit={pair}>
        <TextInput
          label={t('confirm.name')}
          description={t('confirm.nameHint')}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          name="name"
          autoComplete="off"
          {...NAME_FIELD}
          value={name}
          disabled={busy}
          onFocus={(event) => event.currentTarget.select()}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {problem !== undefined && (
          <div className={classes.problem} role="alert">
            <Text>{problem}</Text>
            <Button variant="default" onClick={onOther}>
              {t('confirm.other')}
            </Button>
          </div>
        )}
        <Group>
          <Button type="submit" loading={pairing.isPending} disabled={refusing.isPending}>
            {t('confirm.pair')}
          </Button>
          <Button variant="default" loading={refusing.isPending} disabled={pairing.isPending} onClick={refuse}>
            {t('confirm.refuse')}
          </Button>
        </Group>
      </Form>
    </section>
  );
}

export function ConfirmSkeleton() {
  const { t } = useTranslation('frames');
  return (
    <section className={classes.confirm} aria-busy>
      <Title order={1}>{t('confirm.title')}</Title>
      <Skeleton className={classes.waiting} />
    </section>
  );
}
