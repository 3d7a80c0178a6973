import { ColorInput, Group, Stack, Text } from '@mantine/core';
import { toBrandColors } from '../../../kit/brand-colors.ts';

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
        label="Brand color"
        description="The color of buttons on customer pages and in emails. Leave empty for the default."
        placeholder="#0e6b5c"
        value={color}
        onChange={onChange}
        error={error}
        eyeDropperButtonProps={{ 'aria-label': 'Pick a color from the screen' }}
      />
      {/^#[0-9a-f]{6}$/i.test(color) && <ColorPreview color={color} />}
    </Stack>
  );
}

function ColorPreview({ color }: { color: string }) {
  const { button, buttonText, buttonContrast, light, dark } = toBrandColors(color);
  const textColor = buttonText === '#ffffff' ? 'white' : 'black';
  const isLinkChanged = light.accent !== button || dark.accent !== button;
  return (
    <>
      <Group gap="xs">
        <Sample color={buttonText} background={button} text="Pay now" />
        <Sample color={light.accent} background="#ffffff" text="Link" />
        <Sample color={dark.accent} background="#17201d" text="Link, dark mode" />
      </Group>
      <Text size="sm" c="var(--causeway-muted)">
        Button text is {textColor}, with a contrast of {buttonContrast.toFixed(1)}:1.
        {isLinkChanged && ' Links use a different shade where your color would be hard to read.'}
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
