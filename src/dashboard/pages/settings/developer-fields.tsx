import { Stack, Switch, TagsInput } from '@mantine/core';
import { FoldedFields } from '../../components/folded-fields.tsx';
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
    <FoldedFields title={t.settings.forDevelopers} hasError={schemesError !== undefined}>
      <Stack mt="sm">
        <Switch
          label={t.settings.secureMode}
          name="isSecureModeEnabled"
          description={t.settings.chargesAndCheckoutUrls}
          checked={secureMode}
          onChange={(event) => onSecureModeChange(event.currentTarget.checked)}
        />
        <TagsInput
          label={t.settings.urlSchemesOfApps}
          name="redirectSchemes"
          description={t.settings.returnUrlsMayOpen}
          error={schemesError}
          value={schemes}
          onChange={onSchemesChange}
          disabled={!isOwner}
          maxTags={20}
          acceptValueOnBlur
        />
      </Stack>
    </FoldedFields>
  );
}
