import { Group, Stack, Text, TextInput } from '@mantine/core';
import { toBrandColors } from '../../../kit/brand-colors.ts';
import { fillText } from '../../../language/fill-text.ts';
import { t } from '../../language/texts.ts';
import classes from './settings-form.module.css';

const defaultColor = '#0e6b5c';

/** Returns a typed color, with or without `#`, in API format; undefined if the text is not a color. */
export function toHexColor(text: string): string | undefined {
  const match = /^#?([0-9a-f]{6})$/i.exec(text.trim());
  return match ? `#${match[1]}` : undefined;
}

/** Edits the brand color, and shows how customers see a button and a link in it. */
export function BrandColorField(props: {
  color: string;
  error: string | undefined;
  onChange: (color: string) => void;
}) {
  const { color, error, onChange } = props;
  const hexColor = toHexColor(color);
  // A color that is still being typed is not wrong yet.
  const isWrong = hexColor === undefined && color.trim().replace('#', '').length >= 6;
  return (
    <Stack gap="xs">
      <TextInput
        label={t.settings.brandColor}
        description={t.settings.theColorOfButtons}
        name="brandColor"
        placeholder={defaultColor}
        value={color}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error ?? (isWrong && t.settings.enterAColorSuchAs)}
        spellCheck={false}
        rightSection={
          <input
            type="color"
            aria-label={t.settings.chooseAColor}
            className={classes.color}
            value={hexColor ?? defaultColor}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        }
      />
      {hexColor !== undefined && <ColorPreview color={hexColor} />}
    </Stack>
  );
}

function ColorPreview({ color }: { color: string }) {
  const { button, buttonText, buttonContrast, light, dark } = toBrandColors(color);
  const contrastText = buttonText === '#ffffff' ? t.settings.buttonTextIsWhite : t.settings.buttonTextIsBlack;
  const isTooPale = light.accent !== button;
  return (
    <>
      <Group gap="xs">
        <Sample color={buttonText} background={button} text={t.settings.payNow} />
        <Sample color={light.accent} background="#ffffff" text={t.common.link} />
        <Sample color={dark.accent} background="#17201d" text={t.settings.linkDarkMode} />
      </Group>
      <Text size="sm" c="var(--causeway-muted)">
        {fillText(contrastText, { contrast: buttonContrast.toFixed(1) })}
        {isTooPale
          ? ` ${t.settings.tooPaleForText}`
          : dark.accent !== button && ` ${t.settings.linksUseADifferent}`}
      </Text>
    </>
  );
}

function Sample({ color, background, text }: { color: string; background: string; text: string }) {
  return (
    <Text
      span
      size="sm"
      fw={600}
      px="sm"
      py={6}
      c={color}
      bg={background}
      style={{ borderRadius: 8, border: '1px solid var(--mantine-color-default-border)' }}
    >
      {text}
    </Text>
  );
}
