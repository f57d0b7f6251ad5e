import { Title } from '@mantine/core';
import { DocumentTitle } from '../../ui/DocumentTitle.tsx';

/** Heading of a page of /admin, which is also the document title. */
export function AdminTitle({ title }: { title: string }) {
  return (
    <Title order={1}>
      <DocumentTitle title={title} />
      {title}
    </Title>
  );
}
