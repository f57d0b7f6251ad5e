import { Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ImageWidget } from '../../ui/ImageWidget.tsx';
import { LanguageChooser } from '../../ui/LanguageChooser.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { PasswordField } from '../../ui/PasswordField.tsx';
import { PasswordHints } from '../../ui/PasswordHints.tsx';
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx';
import cube from './cube.svg';
import cubeHover from './cube_1.svg';
import { Exhibit, Row, State } from './Exhibit.tsx';
import classes from './GalleryPage.module.css';

/** A picture with its own colours, like third-party SVGs. */
const PLAIN =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path fill="#2fd3e2" d="M0 0h8v8H0z"/><circle fill="#ff5d4d" cx="4" cy="4" r="2.5"/></svg>';
const SURFACES = ['--mantine-color-body', '--surface-1', '--surface-2', '--line', '--accent-text', '--second-text'];

/** Gallery section: pictures, colours, buttons and fields. */
export function Controls() {
  const { t } = useTranslation('dev');
  const [password, setPassword] = useState('Abc');
  return (
    <>
      <Exhibit id="images" title={t('images')} note={t('imagesNote')}>
        <Row>
          <State name={t('image.svg')}>
            <ImageWidget className={classes.image} src={cube} hoverSrc={cubeHover} alt={t('image.alt')} />
          </State>
          <State name={t('image.plain')}>
            <ImageWidget
              className={classes.image}
              src={`data:image/svg+xml,${encodeURIComponent(PLAIN)}`}
              alt={t('image.alt')}
            />
          </State>
          <State name={t('image.broken')}>
            <ImageWidget className={classes.image} src="data:image/png,none" alt={t('image.alt')} />
          </State>
          <State name={t('image.inButton')}>
            <Button
              variant="default"
              leftSection={<ImageWidget className={classes.icon} src={cube} hoverSrc={cubeHover} alt="" />}
            >
              {t('image.alt')}
            </Button>
          </State>
        </Row>
      </Exhibit>

      <Exhibit id="colours" title={t('colours')}>
        <Group gap="lg">
          {SURFACES.map((name) => (
            <State key={name} name={name.replace(/^--(mantine-color-)?/, '')}>
              <div className={classes.swatch} style={{ background: `var(${name})` }} />
            </State>
          ))}
          <State name={t('logo')}>
            <Logo />
          </State>
        </Group>
      </Exhibit>

      <Exhibit id="buttons" title={t('buttons')}>
        <Row>
          <Button>{t('button.main')}</Button>
          <Button variant="default">{t('button.plain')}</Button>
          <Button variant="light">{t('button.light')}</Button>
          <Button variant="subtle" color="gray">
            {t('button.subtle')}
          </Button>
          <Button color="red">{t('button.danger')}</Button>
          <Button disabled>{t('button.disabled')}</Button>
          <Button loading>{t('button.loading')}</Button>
        </Row>
        <Row>
          <LanguageChooser />
          <ThemeSwitch />
        </Row>
      </Exhibit>

      <Exhibit id="fields" title={t('fields')}>
        <Stack className={classes.wide}>
          <TextInput label={t('field.plain')} />
          <TextInput label={t('field.wrong')} defaultValue="me@" error={t('field.error')} />
          <TextInput label={t('field.disabled')} disabled />
          <PasswordField
            label={t('field.password')}
            autoComplete="off"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            description={<PasswordHints password={password} />}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
          />
          <Select label={t('field.choice')} data={[t('field.one'), t('field.two')]} defaultValue={t('field.one')} />
          <Checkbox label={t('field.box')} />
          <Checkbox label={t('field.boxTicked')} defaultChecked />
        </Stack>
      </Exhibit>
    </>
  );
}
