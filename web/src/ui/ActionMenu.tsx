import { Menu, type MenuProps } from '@mantine/core';

/**
 * Menu of the actions on one item. It is drawn inside the page's main part, so that screen readers find it by landmark,
 * and its children are menu items only; the first gets the focus.
 */
export function ActionMenu(props: MenuProps) {
  const target = document.getElementById('main') ?? document.body;
  return (
    <Menu
      position="bottom-end"
      withInitialFocusPlaceholder={false}
      menuItemTabIndex={0}
      portalProps={{ target }}
      {...props}
    />
  );
}
