import { Fieldset, SimpleGrid, Stack, Switch, TagsInput, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { parseInteger, withFieldPath } from '../../../kit/typed-number.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { getText, handleSubmit, SubmitButton } from '../../components/form.tsx';
import { Muted } from '../../components/muted.tsx';
import { Section } from '../../components/section.tsx';
import { TimeZoneSelect } from '../../components/time-zone-select.tsx';
import { useChanges } from '../../components/use-changes.ts';
import { useFormState } from '../../components/use-form-state.ts';
import { percentToFraction } from '../../format/fraction.ts';
import { formatMethod } from '../../format/labels.ts';
import { setDisplayTimeZone } from '../../format/moment.ts';
import { t } from '../../language/texts.ts';
import { toHexColor } from './brand-color-field.tsx';
import { DeveloperFields } from './developer-fields.tsx';
import { PageFields, readPageFields } from './page-fields.tsx';
import { PaymentSettings } from './payment-settings.tsx';
import classes from './settings-form.module.css';
import { type SettingsDetails, type UpdateSettingsInput, updateSettingsMutation } from './settings-query.ts';

/** The fields that show their own error. */
const fieldPaths = [
  'name',
  'timeZone',
  'postalAddress',
  'taxNumber',
  'displayName',
  'brandColor',
  'logo',
  'supportEmail',
  'websiteUrl',
  'termsUrl',
  'privacyUrl',
  'country',
  'exchangeRateMarkup',
  'maxRateAgeDays',
  'underpaymentTolerance',
  'redirectSchemes',
  'additionalPhoneCountries',
  'paymentWindows',
  'reauthenticationMinutes',
];

/** Only changed settings are saved, in one request. */
export function SettingsForm({ settings, isOwner }: { settings: SettingsDetails; isOwner: boolean }) {
  const [{ fetching }, update] = useMutation(updateSettingsMutation);
  const [timeZone, setTimeZone] = useState(settings.timeZone);
  const [secureMode, setSecureMode] = useState(settings.isSecureModeEnabled);
  const [requireTwoFactor, setRequireTwoFactor] = useState(settings.isTwoFactorRequired);
  const [redirectSchemes, setRedirectSchemes] = useState<string[]>([...settings.redirectSchemes]);
  const [phoneCountries, setPhoneCountries] = useState<string[]>([...settings.additionalPhoneCountries]);
  const [brandColor, setBrandColor] = useState(settings.brandColor ?? '');
  /** Undefined keeps the stored logo. */
  const [logo, setLogo] = useState<string | null>();
  const [areReceiptsEmailed, setReceiptsEmailed] = useState(settings.areReceiptsEmailed);
  const [isSaved, setSaved] = useState(false);
  const { formRef, error, getFieldError, read, handleResult } = useFormState(fieldPaths);

  const { getChanges, markSaved } = useChanges(formRef, (data): UpdateSettingsInput => {
    const lists = {
      redirectSchemes,
      additionalPhoneCountries: phoneCountries.map((country) => country.toUpperCase()),
    };
    return {
      ...readSettings(data),
      timeZone,
      brandColor: brandColor.trim() === '' ? null : (toHexColor(brandColor) ?? brandColor),
      ...(logo !== undefined && { logo }),
      areReceiptsEmailed,
      isSecureModeEnabled: secureMode,
      isTwoFactorRequired: requireTwoFactor,
      ...lists,
    };
  });
  const submit = handleSubmit(async (data) => {
    const input = read(() => getChanges(data));
    if (!input) return;
    const isAccepted = handleResult(await update({ input }));
    if (isAccepted) markSaved(data);
    if (isAccepted && input.timeZone) setDisplayTimeZone(input.timeZone);
    setSaved(isAccepted);
  });
  // Fields that are not native inputs do not send a change event to the form.
  const withEdit =
    <Value,>(store: (value: Value) => void) =>
    (value: Value) => {
      setSaved(false);
      store(value);
    };

  return (
    <form onSubmit={submit} ref={formRef} onChange={() => setSaved(false)}>
      <Fieldset disabled={!isOwner}>
        <Stack gap="lg">
          <Section title={t.settings.business}>
            <TextInput
              label={t.settings.shopName}
              description={t.settings.shopNameIsShown}
              name="name"
              maxLength={140}
              maw={420}
              defaultValue={settings.name}
              error={getFieldError('name')}
              required
              withAsterisk={false}
            />
          </Section>
          <PageFields
            settings={settings}
            getFieldError={getFieldError}
            color={brandColor}
            onColor={setBrandColor}
            onLogo={withEdit(setLogo)}
            onCountry={() => setSaved(false)}
            areReceiptsEmailed={areReceiptsEmailed}
            onReceipts={setReceiptsEmailed}
          />
          <PaymentSettings settings={settings} getFieldError={getFieldError} />
          <Section title={t.settings.paymentWindows}>
            <PaymentWindows windows={settings.paymentWindows} error={getFieldError('paymentWindows')} />
          </Section>
          <Section title={t.common.invoices}>
            <Textarea
              label={t.settings.postalAddress}
              description={t.settings.shownBelowYourName}
              name="postalAddress"
              autosize
              minRows={3}
              maxRows={8}
              maxLength={500}
              maw={420}
              defaultValue={settings.postalAddress ?? ''}
              error={getFieldError('postalAddress')}
            />
            <TextInput
              label={t.settings.taxNumber}
              description={t.settings.shownOnInvoicesSuch}
              name="taxNumber"
              maxLength={60}
              maw={420}
              mt="md"
              defaultValue={settings.taxNumber ?? ''}
              error={getFieldError('taxNumber')}
            />
          </Section>
          <Section title={t.settings.security}>
            <Stack>
              <Switch
                label={t.settings.requireTwoFactorAuthentication}
                name="isTwoFactorRequired"
                description={t.settings.usersWithoutItCan}
                checked={requireTwoFactor}
                onChange={(event) => setRequireTwoFactor(event.currentTarget.checked)}
              />
              <TextInput
                label={t.settings.askForATwo}
                description={t.settings.actionsThatMoveLive}
                name="reauthenticationMinutes"
                inputMode="numeric"
                maw={420}
                defaultValue={String(settings.reauthenticationMinutes)}
                error={getFieldError('reauthenticationMinutes')}
                required
                withAsterisk={false}
              />
              <TagsInput
                label={t.settings.additionalPhoneCountries}
                name="additionalPhoneCountries"
                description={t.settings.countryCodesSuchAs}
                error={getFieldError('additionalPhoneCountries')}
                value={phoneCountries}
                onChange={withEdit(setPhoneCountries)}
                disabled={!isOwner}
                acceptValueOnBlur
              />
            </Stack>
          </Section>
          <Section title={t.settings.dashboard}>
            <TimeZoneSelect
              description={t.settings.usedForTimesAnd}
              // `UTC`, the default of merchants, means the time zone of each user's browser.
              firstOption={{ value: 'UTC', label: t.settings.eachUsersOwn }}
              zone={timeZone}
              onChoose={withEdit(setTimeZone)}
              error={getFieldError('timeZone')}
              disabled={!isOwner}
              maw={420}
            />
          </Section>
          <DeveloperFields
            secureMode={secureMode}
            onSecureModeChange={setSecureMode}
            schemes={redirectSchemes}
            onSchemesChange={withEdit(setRedirectSchemes)}
            schemesError={getFieldError('redirectSchemes')}
            isOwner={isOwner}
          />
          <ErrorAlert text={error} />
          {isOwner && (
            <div className={classes.save}>
              <SubmitButton
                isBusy={fetching}
                aside={<span role="status">{isSaved && t.settings.saved}</span>}
              >
                {t.settings.saveSettings}
              </SubmitButton>
            </div>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

/** Returns the settings in the text fields. Throws `FieldInputError` if a number is invalid. */
function readSettings(form: FormData): UpdateSettingsInput {
  return {
    name: getText(form, 'name'),
    postalAddress: getText(form, 'postalAddress') || null,
    taxNumber: getText(form, 'taxNumber') || null,
    ...readPageFields(form),
    exchangeRateMarkup: percentToFraction(getText(form, 'exchangeRateMarkup')),
    underpaymentTolerance: percentToFraction(getText(form, 'underpaymentTolerance')),
    maxRateAgeDays: withFieldPath('maxRateAgeDays', () => parseInteger(getText(form, 'maxRateAgeDays'))),
    paymentWindows: readPaymentWindows(form),
    reauthenticationMinutes: withFieldPath('reauthenticationMinutes', () =>
      parseInteger(getText(form, 'reauthenticationMinutes')),
    ),
  };
}

type PaymentWindowSetting = SettingsDetails['paymentWindows'][number];
type PaymentWindowInput = NonNullable<UpdateSettingsInput['paymentWindows']>[number];

const windowFieldPrefix = 'window-';

/** Edits for each method how long a charge can be paid. An empty field means the method's default. */
function PaymentWindows(props: { windows: readonly PaymentWindowSetting[]; error: string | undefined }) {
  const { windows, error } = props;
  return (
    <Stack>
      <Text size="sm" c="var(--causeway-muted)">
        {t.settings.howManyMinutesA}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 4 }} style={{ alignItems: 'end' }}>
        {windows.map(({ method, minutes, isCustom }) => (
          <TextInput
            key={method}
            label={formatMethod(method)}
            name={windowFieldPrefix + method}
            inputMode="numeric"
            defaultValue={isCustom ? String(minutes) : ''}
            placeholder={isCustom ? '' : `${minutes}`}
            rightSection={<Muted>{t.settings.minutesUnit}</Muted>}
            rightSectionWidth="3.5rem"
            rightSectionPointerEvents="none"
          />
        ))}
      </SimpleGrid>
      {error !== undefined && (
        <Text size="sm" c="var(--causeway-error)" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}

/** Returns the payment windows that are not empty. Throws `FieldInputError` if a number is invalid. */
function readPaymentWindows(form: FormData): PaymentWindowInput[] {
  return [...form].flatMap(([name, value]) => {
    const text = String(value).trim();
    if (!name.startsWith(windowFieldPrefix) || text === '') return [];
    const method = name.slice(windowFieldPrefix.length) as PaymentWindowInput['method'];
    return [{ method, minutes: withFieldPath('paymentWindows', () => parseInteger(text)) }];
  });
}
