// The two programs of the map: points, and lines between them.

import { N_LOOKS } from '../palette'

/** All looks, one for points in no cluster, and one for grey. */
export const N_COLORS = N_LOOKS + 2

const PLACE = `
uniform vec2 u_middle;
uniform vec2 u_scale;
vec4 placed(vec2 at) { return vec4((at - u_middle) * u_scale, 0.0, 1.0); }
`

export const POINT_VERTEX = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec2 a_from;
layout(location = 1) in vec2 a_to;
layout(location = 2) in uint a_look;
layout(location = 3) in uint a_on;
uniform float u_moved;
uniform float u_size;
uniform int u_pass;
uniform vec4 u_looks[${N_COLORS}];
flat out vec3 v_color;
flat out int v_shape;
${PLACE}
void main() {
  bool on = a_on != 0u;
  // Grey ones are drawn first, so that none of them hides what is looked at.
  if ((u_pass == 1 && on) || (u_pass == 2 && !on)) {
    gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
    gl_PointSize = 1.0;
    return;
  }
  vec4 look = u_looks[u_pass == 1 ? ${N_COLORS - 1} : int(a_look)];
  v_color = look.rgb;
  v_shape = int(look.a + 0.5);
  gl_Position = placed(mix(a_from, a_to, u_moved));
  gl_PointSize = u_size * (v_shape == 0 ? 1.0 : 1.15);
}`

export const POINT_FRAGMENT = `#version 300 es
precision highp float; // as in the vertex shader: u_size is in both
flat in vec3 v_color;
flat in int v_shape;
uniform float u_size;
uniform float u_alpha;
uniform vec3 u_paper;
out vec4 color;
void main() {
  vec2 at = gl_PointCoord * 2.0 - 1.0;
  float far; // 0 in the middle, 1 at the edge
  if (v_shape == 0) far = length(at);
  else if (v_shape == 1) far = max(abs(at.x), abs(at.y)) * 1.2;
  else if (v_shape == 2) far = max(abs(at.x) * 1.1 - at.y * 0.55, at.y) + 0.12;
  else if (v_shape == 3) far = abs(at.x) + abs(at.y);
  else far = max(abs(at.x) * 1.1 + at.y * 0.55, -at.y) + 0.12;
  if (u_size < 3.5) {
    if (u_size > 2.0 && far > 1.15) discard;
    color = vec4(v_color * u_alpha, u_alpha);
    return;
  }
  float soft = 1.6 / u_size;
  float cover = 1.0 - smoothstep(1.0 - soft, 1.0 + soft * 0.2, far);
  if (cover <= 0.0) discard;
  // A rim of the paper's colour keeps neighbours apart once points are large enough.
  float rim = u_size < 6.0 ? 0.0 : smoothstep(1.0 - 3.6 / u_size, 1.0 - 1.6 / u_size, far) * 0.75;
  float alpha = cover * u_alpha;
  color = vec4(mix(v_color, u_paper, rim) * alpha, alpha);
}`

export const LINE_VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec2 a_at;
layout(location = 1) in vec2 a_other;
layout(location = 2) in vec2 a_kind; // 0 kept, 1 broken, 2 suspect; and 0 whole, 1 or 2 dashed, from which end
uniform vec2 u_window;
uniform vec4 u_colors[3];
out float v_along;
flat out float v_dashed;
flat out vec4 v_color;
${PLACE}
void main() {
  gl_Position = placed(a_at);
  vec2 other = placed(a_other).xy;
  v_along = a_kind.y > 1.5 ? length((gl_Position.xy - other) * u_window * 0.5) : 0.0;
  v_dashed = a_kind.y > 0.5 ? 1.0 : 0.0;
  v_color = u_colors[int(a_kind.x + 0.5)];
}`

export const LINE_FRAGMENT = `#version 300 es
precision mediump float;
in float v_along;
flat in float v_dashed;
flat in vec4 v_color;
out vec4 color;
void main() {
  if (v_dashed > 0.5 && mod(v_along, 9.0) > 5.0) discard;
  color = vec4(v_color.rgb * v_color.a, v_color.a);
}`
