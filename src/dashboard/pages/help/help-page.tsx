import { Paper, Skeleton } from '@mantine/core';
import { type MouseEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { BackLink } from '../../components/back-link.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { t } from '../../language/texts.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import classes from './help.module.css';

const guides = import.meta.glob([
  '../../../../docs/guides/**/*.md',
  '../../../../docs/operations/**/*.md',
  '../../../../docs/reference/**/*.md',
]);

const contentsSlug = 'guides/README';

/** The bundle contains the guides, so each dashboard shows the guides of its own version. */
export default function HelpPage({ slug }: { slug: string }) {
  const load = guides[`../../../../docs/${slug}.md`];
  if (!load) return <NotFoundPage />;
  return <Guide key={slug} slug={slug} load={load} />;
}

function Guide({ slug, load }: { slug: string; load: () => Promise<GuideModule> }) {
  const [, navigate] = useLocation();
  const [guide, setGuide] = useState<GuideModule['default']>();
  useEffect(() => {
    let isCurrent = true;
    load().then(
      (module) => isCurrent && setGuide(module.default),
      () => isCurrent && setGuide({ title: t.help.thisGuideCouldNot, html: t.help.reloadThePage }),
    );
    return () => {
      isCurrent = false;
    };
  }, [load]);
  useEffect(() => {
    if (guide && window.location.hash !== '')
      document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, [guide]);
  if (!guide) return <Skeleton height={400} aria-busy />;
  // Links to other guides open without loading the dashboard again.
  const openGuide = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a');
    if (!link || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const { origin, pathname, hash } = new URL(link.href);
    if (origin !== window.location.origin || pathname === window.location.pathname) return;
    event.preventDefault();
    navigate(`${pathname.replace('/dashboard', '')}${hash}`);
  };
  return (
    <>
      {slug !== contentsSlug && <BackLink to={`/help/${contentsSlug}`}>{t.help.allGuides}</BackLink>}
      <PageHeader title={guide.title} objectType={t.help.help} />
      <Paper withBorder radius="lg" p="lg" bg="var(--causeway-card)">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the clicks of the links inside. */}
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: keys click the links. */}
        <div
          className={classes.guide}
          onClick={openGuide}
          // biome-ignore lint/security/noDangerouslySetInnerHtml: converted from our own docs by the bundler.
          dangerouslySetInnerHTML={{ __html: guide.html }}
        />
      </Paper>
    </>
  );
}
