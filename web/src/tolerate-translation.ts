/**
 * Lets React go on after the browser's translation, or an extension, moved its nodes: translated text is wrapped in
 * elements of the translator, and removing a text node from its former parent, or inserting before one, throws and takes
 * the page down with all input. Here the node is removed from where it is now, and inserting takes the place of the
 * wrapper.
 * See facebook/react#11538.
 */
export function tolerateTranslation(): void {
  const { removeChild, insertBefore } = Node.prototype;
  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    if (child.parentNode === this) return removeChild.call(this, child) as T;
    // Wrapped by a translator: the wrapper goes with the text.
    if (this.contains(child)) child.parentNode?.removeChild(child);
    return child;
  };
  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
    if (before === null || before.parentNode === this) return insertBefore.call(this, node, before) as T;
    let place: Node | null = before;
    while (place && place.parentNode !== this) place = place.parentNode;
    return insertBefore.call(this, node, place) as T;
  };
}
