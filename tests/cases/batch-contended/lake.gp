# SPDX-License-Identifier: MIT
#
# Draws the lake with the measured depths of the file that `depths` names.

set terminal svg size 1200,900
set output 'lake.svg'
set title 'Depth of the lake in metres'
set dgrid3d 60,60 splines
set contour base
set cntrparam levels 12
set hidden3d
splot depths using 1:2:3 with lines notitle
set output
