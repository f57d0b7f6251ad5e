import IconCrown from '@tabler/icons-react/icons/IconCrown';
import IconDiamond from '@tabler/icons-react/icons/IconDiamond';
import IconPhoto from '@tabler/icons-react/icons/IconPhoto';
import IconStack2 from '@tabler/icons-react/icons/IconStack2';

/** By the icon's name; operators choose it. */
const ICONS: Record<string, typeof IconPhoto> = { normal: IconPhoto, prime: IconStack2, pro: IconCrown };

/** The icon of a plan. */
export function PlanIcon({ name }: { name: string }) {
  const Icon = ICONS[name] ?? IconDiamond;
  return <Icon aria-hidden />;
}
