import { SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { Link } from '../../components/link.tsx';
import { MailNotice } from '../../components/mail-notice.tsx';
import { Section } from '../../components/section.tsx';
import { fillNodes } from '../../language/fill-nodes.tsx';
import { t } from '../../language/texts.ts';
import { BrandColorField } from './brand-color-field.tsx';
import { LogoField } from './logo-field.tsx';
import type { SettingsDetails } from './settings-query.ts';

/** The merchant's details on customer pages. */
export const pageFields = [
  {
    name: 'displayName',
    label: t.settings.displayName,
    description: t.settings.shownToCustomersInstead,
    placeholder: t.settings.harbourTeas,
  },
  {
    name: 'supportEmail',
    label: t.settings.supportEmail,
    description: t.settings.customersCanSendQuestions,
    placeholder: 'help@shop.example',
  },
  {
    name: 'websiteUrl',
    label: t.settings.website,
    description: t.settings.customersReturnHereIf,
    placeholder: 'https://shop.example',
  },
  {
    name: 'termsUrl',
    label: t.settings.terms,
    description: t.settings.linkedOnEveryCustomer,
    placeholder: 'https://shop.example/terms',
  },
  {
    name: 'privacyUrl',
    label: t.settings.privacyPolicy,
    description: t.settings.linkedOnEveryCustomer,
    placeholder: 'https://shop.example/privacy',
  },
  {
    name: 'country',
    label: t.settings.country,
    description: t.settings.customersSeeThePayment,
    placeholder: 'HK',
  },
] as const;

type PageFieldName = (typeof pageFields)[number]['name'];

export function PageFields(props: {
  settings: SettingsDetails;
  getFieldError: (name: PageFieldName | 'logo' | 'brandColor') => string | undefined;
  color: string;
  onColor: (color: string) => void;
  onLogo: (logo: string | null) => void;
  areReceiptsEmailed: boolean;
  onReceipts: (areEmailed: boolean) => void;
}) {
  const { settings, getFieldError } = props;
  return (
    <Section title={t.settings.customerPages}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="md">
        <LogoField url={settings.logoUrl} error={getFieldError('logo')} onChange={props.onLogo} />
        <BrandColorField color={props.color} error={getFieldError('brandColor')} onChange={props.onColor} />
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {pageFields.map(({ name, label, description, placeholder }) => (
          <TextInput
            key={name}
            name={name}
            label={label}
            description={description}
            placeholder={placeholder}
            maxLength={500}
            defaultValue={settings[name] ?? ''}
            error={getFieldError(name)}
          />
        ))}
      </SimpleGrid>
      <Text size="sm" c="var(--causeway-muted)" mt="md">
        {fillNodes(t.settings.toSeeYourPages, {
          checkoutLinks: <Link to="/checkout-links">{t.shell.checkoutLinks}</Link>,
        })}
      </Text>
      <Stack mt="md" gap={0}>
        <MailNotice />
        <Switch
          label={t.settings.emailReceipts}
          description={t.settings.customersWithAnEmail}
          checked={props.areReceiptsEmailed}
          onChange={(event) => props.onReceipts(event.currentTarget.checked)}
        />
      </Stack>
    </Section>
  );
}
