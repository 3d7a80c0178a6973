import { Link } from '../components/link.tsx';
import { PageHeader } from '../components/page-header.tsx';

export function NotFoundPage() {
  return (
    <PageHeader
      title="No such page"
      text={
        <>
          The address leads nowhere. Go to{' '}
          <Link to="/" underline="always">
            Home
          </Link>
          .
        </>
      }
    />
  );
}
