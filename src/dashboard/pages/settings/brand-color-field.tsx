import { ColorInput, Group, Stack, Text } from '@mantine/core';
import { toBrandColors } from '../../../kit/brand-colors.ts';
import { fillText } from '../../../language/fill-text.ts';
import { t } from '../../language/texts.ts';

/** Edits the brand color, and shows how customers see a button and a link in it. */
export function BrandColorField(props: {
  color: string;
  error: string | undefined;
  onChange: (color: string) => void;
}) {
  const { color, error, onChange } = props;
  return (
    <Stack gap="xs">
      <ColorInput
        label={t.settings.brandColor}
        description={t.settings.theColorOfButtons}
        placeholder="#0e6b5c"
        value={color}
        onChange={onChange}
        error={error}
        eyeDropperButtonProps={{ 'aria-label': t.settings.pickAColorFrom }}
      />
      {/^#[0-9a-f]{6}$/i.test(color) && <ColorPreview color={color} />}
    </Stack>
  );
}

function ColorPreview({ color }: { color: string }) {
  const { button, buttonText, buttonContrast, light, dark } = toBrandColors(color);
  const contrastText = buttonText === '#ffffff' ? t.settings.buttonTextIsWhite : t.settings.buttonTextIsBlack;
  const isLinkChanged = light.accent !== button || dark.accent !== button;
  return (
    <>
      <Group gap="xs">
        <Sample color={buttonText} background={button} text={t.settings.payNow} />
        <Sample color={light.accent} background="#ffffff" text={t.common.link} />
        <Sample color={dark.accent} background="#17201d" text={t.settings.linkDarkMode} />
      </Group>
      <Text size="sm" c="var(--causeway-muted)">
        {fillText(contrastText, { contrast: buttonContrast.toFixed(1) })}
        {isLinkChanged && ` ${t.settings.linksUseADifferent}`}
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
