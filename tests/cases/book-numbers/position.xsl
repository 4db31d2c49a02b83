<?xml version="1.0"?>
<!-- SPDX-License-Identifier: MIT -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:output method="text"/>
<xsl:template match="/catalogue">
<xsl:apply-templates select="chapter"/>
</xsl:template>
<xsl:template match="chapter">
<xsl:apply-templates select="article"/>
</xsl:template>
<xsl:template match="article">
<xsl:value-of select="position()"/>
<xsl:text> </xsl:text>
<xsl:value-of select="translate(normalize-space(name), 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')"/>
<xsl:text> </xsl:text>
<xsl:value-of select="format-number(price * 1.19 div 100, '#,##0.00')"/>
<xsl:text> </xsl:text>
<xsl:value-of select="concat(substring-before(name, 'no'), string-length(name), substring-after(name, 'of'))"/>
<xsl:text> </xsl:text>
<xsl:value-of select="format-number(floor(price div 119) * 19 div 100, '0.00')"/>
<xsl:text> </xsl:text>
<xsl:value-of select="translate(concat(name, ' ', price, ' ', substring(name, 3, 8)), ' 0123456789', '_9876543210')"/>
<xsl:text>
</xsl:text>
</xsl:template>
</xsl:stylesheet>
