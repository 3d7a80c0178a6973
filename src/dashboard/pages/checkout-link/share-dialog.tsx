import { Button, Card, CopyButton, Group, Image, NativeSelect, Stack, Text } from '@mantine/core';
import { type ReactNode, type RefCallback, useRef, useState } from 'react';
import { getCountryLanguage } from '../../../language/country-language.ts';
import { fillText } from '../../../language/fill-text.ts';
import { Dialog } from '../../components/dialog.tsx';
import classes from '../../components/link-qr.module.css';
import { Loaded } from '../../components/loaded.tsx';
import { Muted } from '../../components/muted.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { formatLanguage } from '../../format/labels.ts';
import { graphql, type ResultOf } from '../../graphql/graphql.ts';
import { toSameOriginPath } from '../../graphql/to-same-origin-path.ts';
import { useCachedQuery } from '../../graphql/use-query-state.ts';
import { t } from '../../language/texts.ts';

/** The values of `Locale`, in the order of the customer pages. */
const locales = ['en', 'zh_Hant', 'zh', 'id', 'ms', 'fil', 'vi', 'th', 'ko', 'hi'] as const;
type ShareLocale = (typeof locales)[number];
const toTag = (locale: ShareLocale) => locale.replace('_', '-');

/** Previews a link in a language of the customers, and copies, shares or prints it. */
export function ShareDialog(props: { id: string; name: string; opened: boolean; onClose: () => void }) {
  const { id, name, opened, onClose } = props;
  return (
    <Dialog opened={opened} onClose={onClose} title={fillText(t.checkoutLink.shareThisLink, { name })}>
      {opened && <ShareContent id={id} />}
    </Dialog>
  );
}

/** The content of the dialog. "Copy link" takes the focus when it appears first. */
export function ShareContent({ id }: { id: string }) {
  const [locale, setLocale] = useState<ShareLocale>('en');
  const query = useCachedQuery(shareQuery, { id, locale });
  const [chosenSecond, setSecond] = useState<ShareLocale | ''>();
  const hasFocused = useRef(false);
  const focusOnce = (button: HTMLButtonElement | null) => {
    if (!button || hasFocused.current) return;
    hasFocused.current = true;
    button.focus();
  };
  return (
    <Stack>
      <NativeSelect
        label={t.checkoutLink.languageOfTheCustomers}
        value={locale}
        onChange={(event) => setLocale(event.currentTarget.value as ShareLocale)}
        data={locales.map((value) => ({ value, label: formatLanguage(toTag(value)) }))}
      />
      <Loaded query={query} lines={8}>
        {({ checkoutLink, me }) => {
          if (!checkoutLink) return null;
          const second = chosenSecond ?? getSecondLocale(locale, me.country);
          return (
            <SharedLink share={checkoutLink.share} second={second} copyRef={focusOnce}>
              <NativeSelect
                label={t.checkoutLink.secondLanguageOfPoster}
                value={second}
                onChange={(event) => setSecond(event.currentTarget.value as ShareLocale | '')}
                data={[
                  { value: '', label: t.common.none },
                  ...locales
                    .filter((value) => value !== locale)
                    .map((value) => ({ value, label: formatLanguage(toTag(value)) })),
                ]}
              />
            </SharedLink>
          );
        }}
      </Loaded>
    </Stack>
  );
}

/** Returns the language of the merchant's country or, if the poster is in that language, English; empty for none. */
function getSecondLocale(locale: ShareLocale, country: string | null): ShareLocale | '' {
  const local = getCountryLanguage(country ?? undefined).replace('-', '_') as ShareLocale;
  if (locale !== local) return local;
  return locale === 'en' ? '' : 'en';
}

type Share = NonNullable<ResultOf<typeof shareQuery>['checkoutLink']>['share'];

function SharedLink(props: {
  share: Share;
  second: ShareLocale | '';
  copyRef: RefCallback<HTMLButtonElement>;
  children: ReactNode;
}) {
  const { share, second, copyRef, children } = props;
  const { url, title, posterUrl } = share;
  const secondParameter = second === '' ? '' : `&second=${toTag(second)}`;
  return (
    <Stack>
      <Preview share={share} />
      <Group gap="sm">
        <CopyButton value={url}>
          {({ copied, copy }) => (
            <Button onClick={copy} ref={copyRef}>
              {copied ? t.common.copied : t.common.copyLink}
            </Button>
          )}
        </CopyButton>
        {'share' in navigator && (
          <Button
            variant="default"
            onClick={() => {
              // The promise is rejected if the user closes the menu.
              navigator.share({ title, url }).catch(() => undefined);
            }}
          >
            {t.checkoutLink.share}
          </Button>
        )}
        <Button
          variant="default"
          component="a"
          href={`${toSameOriginPath(posterUrl)}${secondParameter}`}
          target="_blank"
          rel="noopener noreferrer"
        >
          {t.checkoutLink.printPoster}
        </Button>
      </Group>
      {children}
      <Stack align="center" gap="xs">
        <div className={classes.code}>
          <QrCode text={url} label={t.common.qrCodeThatOpens} />
        </div>
        <Muted>{t.checkoutLink.customersScanThisCode}</Muted>
      </Stack>
    </Stack>
  );
}

/** Shows the link as messengers and social networks preview it. */
function Preview({ share: { url, title, description, siteName, imageUrl } }: { share: Share }) {
  return (
    <section aria-label={t.checkoutLink.previewInMessengers}>
      <Card withBorder padding="sm">
        <Group wrap="nowrap" align="flex-start">
          {imageUrl !== null && <Image src={toSameOriginPath(imageUrl)} alt="" w={64} h={64} fit="contain" />}
          <div>
            <Text size="xs" c="dimmed">
              {siteName} · {new URL(url).host}
            </Text>
            <Text fw={600}>{title}</Text>
            <Text size="sm">{description}</Text>
          </div>
        </Group>
      </Card>
      {imageUrl === null && <Muted>{t.checkoutLink.addALogoIn}</Muted>}
    </section>
  );
}

const shareQuery = graphql(`
  query SharedCheckoutLink($id: ID!, $locale: Locale!) {
    me {
      id
      country
    }
    checkoutLink(id: $id) {
      id
      share(locale: $locale) {
        url
        title
        description
        siteName
        imageUrl
        posterUrl
      }
    }
  }
`);
