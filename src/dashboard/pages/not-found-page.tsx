import { Link } from '../components/link.tsx';
import { PageHeader } from '../components/page-header.tsx';
import { fillNodes } from '../language/fill-nodes.tsx';
import { t } from '../language/texts.ts';

export function NotFoundPage() {
  return (
    <PageHeader
      title={t.pages.pageNotFound}
      text={fillNodes(t.pages.checkTheUrlOr, {
        link: (
          <Link to="/" underline="always">
            {t.pages.home}
          </Link>
        ),
      })}
    />
  );
}
