import { Fieldset, SimpleGrid, Stack, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { showTimesIn } from '../../format/moment.ts';
import { percentToShare, shareToPercent } from '../../format/share.ts';
import { plainWhole, readAs } from '../../format/written-number.ts';
import { Submit, sent, textOf } from '../../parts/form.tsx';
import { Refused } from '../../parts/refused.tsx';
import { Section } from '../../parts/section.tsx';
import { TimeZoneChoice } from '../../parts/time-zone-choice.tsx';
import { useChanges } from '../../parts/use-changes.ts';
import { type Outcome, useOutcome } from '../../parts/use-outcome.ts';
import { PaymentWindows, readWindows } from './payment-windows.tsx';
import { type Settings, type SettingsInput, updateSettingsMutation } from './settings-query.ts';

/** Those that show what is wrong with them. */
const fields = [
  'timeZone',
  'postalAddress',
  'markup',
  'rateAgeDays',
  'underpaymentTolerance',
  'redirectSchemes',
  'phoneCountries',
  'paymentWindows',
  'reauthenticationMinutes',
];

/** All settings in one form: those that were changed are saved together, each fault beside its field. */
export function SettingsForm({ settings, isOwner }: { settings: Settings; isOwner: boolean }) {
  const [{ fetching }, update] = useMutation(updateSettingsMutation);
  const [timeZone, setTimeZone] = useState(settings.timeZone);
  const [secureMode, setSecureMode] = useState(settings.secureMode);
  const [requireTwoFactor, setRequireTwoFactor] = useState(settings.requireTwoFactor);
  const [redirectSchemes, setSchemes] = useState<string[]>([...settings.redirectSchemes]);
  const [phoneCountries, setCountries] = useState<string[]>([...settings.phoneCountries]);
  const [isSaved, setSaved] = useState(false);
  const { form, refusal, faultOf, read, take } = useOutcome(fields);

  const { changesIn, saved } = useChanges(form, (data): SettingsInput => {
    const lists = { redirectSchemes, phoneCountries: phoneCountries.map((country) => country.toUpperCase()) };
    return { ...readForm(data), timeZone, secureMode, requireTwoFactor, ...lists };
  });
  const submit = sent(async (data) => {
    const input = read(() => changesIn(data));
    if (!input) return;
    const isTaken = take(await update({ input }));
    if (isTaken) saved(data);
    if (isTaken && input.timeZone) showTimesIn(input.timeZone);
    setSaved(isTaken);
  });

  return (
    <form onSubmit={submit} ref={form} onChange={() => setSaved(false)}>
      <Fieldset disabled={!isOwner}>
        <Stack gap="lg">
          <Money settings={settings} faultOf={faultOf} />
          <Section title="Payment windows">
            <PaymentWindows windows={settings.paymentWindows} fault={faultOf('paymentWindows')} />
          </Section>
          <Section title="Invoices">
            <Textarea
              label="Postal address"
              description="Stands under your name on invoices"
              name="postalAddress"
              autosize
              minRows={3}
              maxRows={8}
              maxLength={500}
              maw={420}
              defaultValue={settings.postalAddress}
              error={faultOf('postalAddress')}
            />
          </Section>
          <Section title="Security">
            <Stack>
              <Switch
                label="Secure mode"
                description="Charges and bare checkout addresses need a hash that only your server can get"
                checked={secureMode}
                onChange={(event) => setSecureMode(event.currentTarget.checked)}
              />
              <Switch
                label="Require two-factor authentication"
                description="Users without it can sign in, but do nothing except set it up"
                checked={requireTwoFactor}
                onChange={(event) => setRequireTwoFactor(event.currentTarget.checked)}
              />
              <TextInput
                label="Ask for a code again after, minutes"
                description="Moving live money takes a code that was entered within this time; 5 to 60"
                name="reauthenticationMinutes"
                inputMode="numeric"
                maw={420}
                defaultValue={String(settings.reauthenticationMinutes)}
                error={faultOf('reauthenticationMinutes')}
                required
                withAsterisk={false}
              />
              <TagsInput
                label="App schemes"
                description="Apps that customers may be led back to, such as myshop"
                error={faultOf('redirectSchemes')}
                value={redirectSchemes}
                onChange={setSchemes}
                disabled={!isOwner}
                maxTags={20}
                acceptValueOnBlur
              />
              <TagsInput
                label="Phones of more countries"
                description="Country codes, such as GB; phones of the payment methods’ countries can always be verified"
                error={faultOf('phoneCountries')}
                value={phoneCountries}
                onChange={setCountries}
                disabled={!isOwner}
                acceptValueOnBlur
              />
            </Stack>
          </Section>
          <Section title="Dashboard">
            <TimeZoneChoice
              description="In which times are shown, and days begin"
              first={{ value: 'UTC', label: 'Each user’s own' }}
              zone={timeZone}
              onChoose={setTimeZone}
              fault={faultOf('timeZone')}
              disabled={!isOwner}
              maw={420}
            />
          </Section>
          <Refused text={refusal} />
          {isOwner && (
            <Submit isBusy={fetching} beside={<span role="status">{isSaved && 'Saved'}</span>}>
              Save settings
            </Submit>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

function Money({ settings, faultOf }: { settings: Settings; faultOf: Outcome['faultOf'] }) {
  return (
    <Section title="Money">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label="Markup on exchange rates, %"
          description="Added where the currency changes; up to 10"
          name="markup"
          inputMode="decimal"
          defaultValue={shareToPercent(settings.markup)}
          error={faultOf('markup')}
        />
        <TextInput
          label="Tolerance for underpayment, %"
          description="May be missing when a charge completes; up to 2"
          name="underpaymentTolerance"
          inputMode="decimal"
          defaultValue={shareToPercent(settings.underpaymentTolerance)}
          error={faultOf('underpaymentTolerance')}
        />
        <TextInput
          label="Oldest exchange rate, days"
          description="Older ones refuse live charges; 1 to 31"
          name="rateAgeDays"
          inputMode="numeric"
          defaultValue={String(settings.rateAgeDays)}
          error={faultOf('rateAgeDays')}
          required
          withAsterisk={false}
        />
      </SimpleGrid>
    </Section>
  );
}

/** Error: `Unclear`. */
function readForm(form: FormData): SettingsInput {
  return {
    postalAddress: textOf(form, 'postalAddress'),
    markup: percentToShare(textOf(form, 'markup')),
    underpaymentTolerance: percentToShare(textOf(form, 'underpaymentTolerance')),
    rateAgeDays: readAs('rateAgeDays', () => plainWhole(textOf(form, 'rateAgeDays'))),
    paymentWindows: readWindows(form),
    reauthenticationMinutes: readAs('reauthenticationMinutes', () =>
      plainWhole(textOf(form, 'reauthenticationMinutes')),
    ),
  };
}
