import { Stack, Switch, TagsInput, Text } from '@mantine/core';
import { t } from '../../language/texts.ts';

/** The settings of shops that call the API, collapsed until the user opens them or a scheme is invalid. */
export function DeveloperFields(props: {
  secureMode: boolean;
  onSecureModeChange: (isOn: boolean) => void;
  schemes: string[];
  onSchemesChange: (schemes: string[]) => void;
  schemesError: string | undefined;
  isOwner: boolean;
}) {
  const { secureMode, onSecureModeChange, schemes, onSchemesChange, schemesError, isOwner } = props;
  return (
    <details open={schemesError !== undefined || undefined}>
      <Text component="summary" size="sm" fw={500}>
        {t.settings.forDevelopers}
      </Text>
      <Stack mt="sm">
        <Switch
          label={t.settings.secureMode}
          description={t.settings.chargesAndCheckoutUrls}
          checked={secureMode}
          onChange={(event) => onSecureModeChange(event.currentTarget.checked)}
        />
        <TagsInput
          label={t.settings.urlSchemesOfApps}
          description={t.settings.returnUrlsMayOpen}
          error={schemesError}
          value={schemes}
          onChange={onSchemesChange}
          disabled={!isOwner}
          maxTags={20}
          acceptValueOnBlur
        />
      </Stack>
    </details>
  );
}
